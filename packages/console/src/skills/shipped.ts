import { frontMatterOf } from '@skillrun/client/front-matter.ts'
import { type Folder, zipOf } from '@skillrun/client/zip.ts'
import { call, upload } from '../api.ts'
import type { Skill } from '../wire.ts'

const texts = import.meta.glob<string>('../../../../skills/*/SKILL.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const addresses = import.meta.glob<string>('../../../../skills/*/**/*', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** A built-in skill. */
export interface ShippedSkill {
  readonly name: string
  readonly description: string
  /** Its files by path in the bundle, each with its URL. */
  readonly files: Readonly<Record<string, string>>
}

export const shippedSkills: readonly ShippedSkill[] = Object.entries(texts).map(([path, text]) => {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { name = folder, description = '' } = frontMatterOf(text)
  const files = Object.entries(addresses).filter(([file]) => file.startsWith(folder))
  return { name, description, files: Object.fromEntries(files.map(([file, url]) => [file.slice(folder.length), url])) }
})

/** Adds a built-in skill with its test cases to the workspace. */
export async function addShipped({ name, description, files }: ShippedSkill): Promise<Skill> {
  const read = Object.entries(files).map(async ([path, url]): Promise<[string, Uint8Array]> => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${path} of the skill ${name} could not be loaded. Reload the page.`)
    return [path, new Uint8Array(await response.arrayBuffer())]
  })
  const folder: Folder = Object.fromEntries(await Promise.all(read))
  const zip = new File([zipOf(folder)], `${name}.zip`, { type: 'application/zip' })
  const stored = await upload(zip, { onProgress: () => undefined, signal: new AbortController().signal })
  return call<Skill>('/v1/skills/create', { method: 'POST', body: { file_id: stored.id, name, description } })
}
