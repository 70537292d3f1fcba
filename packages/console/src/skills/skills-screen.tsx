import { type FrontMatter, frontMatterOf } from '@skillrun/client/front-matter.ts'
import { useState } from 'preact/hooks'
import { call, upload, wordsOf } from '../api.ts'
import { briefTime, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import { go, Link } from '../router.tsx'
import { visible } from '../visible.ts'
import type { ListedSkill, Skill } from '../wire.ts'
import { isJsonObject, type JsonObject } from '../wire.ts'
import { openArchive } from './unzip.ts'

const listMax = 1000
const skillMdBytesMax = 1_000_000

/** The skills of the workspace and the public ones, each by its latest version. */
export function SkillsScreen() {
  const { data, problem } = useLoaded<readonly ListedSkill[]>(
    `/v1/skills?grouped=true&order_by=updated_at&limit=${listMax}`,
  )
  const [wanted, setWanted] = useState('')
  const word = wanted.trim().toLowerCase()
  const shown = (data ?? []).filter((one) => `${one.name} ${one.description}`.toLowerCase().includes(word))
  return (
    <>
      <div class="head-line">
        <h1>Skills</h1>
      </div>
      <Problem text={problem} />
      <div class="skills-columns">
        <div class="stack">
          {data && data.length > 0 && (
            <label class="field">
              <span>Find</span>
              <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
            </label>
          )}
          {data?.length === 0 && <Nothing>No skills yet. Create one from instructions or upload a bundle.</Nothing>}
          {data && data.length > 0 && shown.length === 0 && <Nothing>No skill matches.</Nothing>}
          {shown.length > 0 && (
            <ul class="rows" aria-label="Skills">
              {shown.map((one) => (
                <li key={one.id}>
                  <Link class="row skill-row" to={`/skills/${one.id}`}>
                    <span class="grow">
                      <strong class="name">{one.name}</strong> {one.is_public && <span class="tag">public</span>}
                      <span class="soft small block clamp">{visible(one.description)}</span>
                    </span>
                    <span class="small soft">
                      <code>{one.skill_version}</code>{' '}
                      <time dateTime={one.updated_at} title={longTime(one.updated_at)}>
                        {briefTime(one.updated_at)}
                      </time>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
        <NewSkill />
      </div>
    </>
  )
}

/** A skill from a prompt, or from a bundle that is dropped. */
function NewSkill() {
  const [name, setName] = useState('')
  const [prompt, setPrompt] = useState('')
  const [schema, setSchema] = useState('')
  const [isPublic, setIsPublic] = useState(false)
  const [problem, setProblem] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const make = async (load: () => Promise<JsonObject>) => {
    setIsBusy(true)
    try {
      const body = { ...(await load()), is_public: isPublic }
      const made = await call<Skill>('/v1/skills/create', { method: 'POST', body })
      go(`/skills/${made.id}`)
    } catch (error) {
      setProblem(wordsOf(error))
      setIsBusy(false)
    }
  }
  const fromPrompt = async (): Promise<JsonObject> => ({
    prompt,
    ...(name.trim() ? { name } : {}),
    ...(schema.trim() ? { json_schema: schemaOf(schema) } : {}),
  })
  const fromFile = async (file: File | undefined): Promise<JsonObject> => {
    if (!file) throw new Error('No file was dropped.')
    const told = await saidIn(file)
    const stored = await upload(file, { onProgress: () => undefined, signal: new AbortController().signal })
    const own = file.name.replace(/\.zip$/i, '')
    return {
      file_id: stored.id,
      name: name.trim() || told.name || own,
      description: told.description ?? `The bundle ${own}`,
    }
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        void make(fromPrompt)
      }}
    >
      <h2>New skill</h2>
      <label class="field">
        <span>Name (optional; one that exists gets its next version)</span>
        <input value={name} maxLength={255} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Instructions</span>
        <textarea rows={5} value={prompt} onInput={(event) => setPrompt(event.currentTarget.value)} />
      </label>
      <details>
        <summary class="small">JSON Schema of the answer</summary>
        <textarea
          class="code"
          rows={6}
          aria-label="JSON Schema"
          value={schema}
          onInput={(event) => setSchema(event.currentTarget.value)}
        />
      </details>
      <label class="check">
        <input
          type="checkbox"
          checked={isPublic}
          onChange={({ currentTarget }) => setIsPublic(currentTarget.checked)}
        />
        <span>Public: all workspaces of this server can use it</span>
      </label>
      <Problem text={problem} />
      <button type="submit" class="primary" disabled={isBusy || prompt.trim() === ''}>
        {isBusy ? 'Making …' : 'Create skill'}
      </button>
      <DropZone id="skill-chooser" onFiles={([file]) => void make(() => fromFile(file))}>
        <strong>Or drop a bundle here</strong>
        <span class="soft small block">a .zip file that contains SKILL.md</span>
      </DropZone>
    </form>
  )
}

/** What the SKILL.md of a bundle says of it; nothing of an archive that the server will refuse anyway. */
async function saidIn(file: File): Promise<FrontMatter> {
  try {
    const archive = openArchive(await file.arrayBuffer())
    const path = archive.paths.find((one) => /^(?:[^/]+\/)?SKILL\.md$/.test(one))
    return path ? frontMatterOf(await archive.text(path, skillMdBytesMax)) : {}
  } catch {
    return {}
  }
}

function schemaOf(text: string): JsonObject {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch (error) {
    throw new Error(`The schema is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isJsonObject(schema)) throw new Error('A schema must be a JSON object.')
  return schema
}
