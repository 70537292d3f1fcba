import { type FrontMatter, frontMatterOf } from '@skillrun/client/front-matter.ts'
import { call, upload, wordsOf } from '../api.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { go } from '../router.tsx'
import type { Skill } from '../wire.ts'
import { openArchive } from './unzip.ts'

const skillMdBytesMax = 1_000_000

interface BundleDropProps {
  /** Empty: the bundle's name. */
  readonly name: string
  readonly isPublic: boolean
  readonly onProblem: (text: string) => void
}

/** Creates a skill from a dropped bundle. */
export function BundleDrop({ name, isPublic, onProblem }: BundleDropProps) {
  const make = async (file: File | undefined) => {
    if (!file) return
    try {
      const front = await frontOf(file)
      const stored = await upload(file, { onProgress: () => undefined, signal: new AbortController().signal })
      const own = file.name.replace(/\.zip$/i, '')
      const body = {
        file_id: stored.id,
        name: name || front.name || own,
        description: front.description ?? `The bundle ${own}`,
        is_public: isPublic,
      }
      go(`/skills/${(await call<Skill>('/v1/skills/create', { method: 'POST', body })).id}`)
    } catch (error) {
      onProblem(wordsOf(error))
    }
  }
  return (
    <DropZone id="skill-chooser" onFiles={([file]) => void make(file)}>
      <strong>Or drop a bundle here</strong>
      <span class="soft small block">a .zip file that contains SKILL.md</span>
    </DropZone>
  )
}

/** The front matter of the SKILL.md in a bundle; empty for an archive that the server will refuse anyway. */
async function frontOf(file: File): Promise<FrontMatter> {
  try {
    const archive = openArchive(await file.arrayBuffer())
    const path = archive.paths.find((one) => /^(?:[^/]+\/)?SKILL\.md$/.test(one))
    return path ? frontMatterOf(await archive.text(path, skillMdBytesMax)) : {}
  } catch {
    return {}
  }
}
