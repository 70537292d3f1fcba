import { useState } from 'preact/hooks'
import { call, callRaw } from '../api.ts'
import { byteSize, pathOf } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Nothing, Problem } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { visible } from '../visible.ts'
import { type Skill, skillPath } from '../wire.ts'
import { type DiffLine, diffOf, excerptOf } from './diff.ts'
import { DiffView } from './diff-view.tsx'
import { type Archive, openArchive } from './unzip.ts'

type BundleFile = NonNullable<Skill['files']>[number]

const shownBytesMax = 1024 * 1024
/** Larger files are assumed to differ. */
const comparedBytesMax = 64 * 1024 * 1024

/** The archive of a version, fetched by its signed URL. */
function useArchive(id: string | undefined) {
  return useLoaded<Archive>(id ? skillPath(id, '/download') : null, {
    load: async (path, signal) => {
      const { download_url } = await call<{ download_url: string }>(path, { signal })
      return openArchive(await (await callRaw(pathOf(download_url), { signal })).arrayBuffer())
    },
  })
}

/** The bundle of a version: its files, review findings, and the differences from another version. */
export function BundleTab({ skill }: { skill: Skill }) {
  const archive = useArchive(skill.id)
  const versions = useLoaded<readonly Skill[]>(skillPath(skill.id, '/versions'))
  const others = (versions.data ?? []).filter((one) => one.id !== skill.id)
  const [chosen, setChosen] = useState('SKILL.md')
  const [otherId, setOtherId] = useState('')
  const other = useArchive(otherId || undefined)
  const files: readonly BundleFile[] =
    skill.files ?? (archive.data?.paths ?? []).map((path) => ({ path, bytes: 0, sha256: path }))
  const path = files.some((one) => one.path === chosen) ? chosen : (files[0]?.path ?? '')
  return (
    <>
      <Problem text={archive.problem || other.problem} />
      <div class="filters">
        <label class="field">
          <span>Version</span>
          <select value={skill.id} onChange={(event) => go(`/skills/${event.currentTarget.value}`)}>
            {(versions.data ?? [skill]).map((one) => (
              <option key={one.id} value={one.id}>
                {versionName(one)}
              </option>
            ))}
          </select>
        </label>
        {others.length > 0 && (
          <label class="field">
            <span>Compare with</span>
            <select value={otherId} onChange={(event) => setOtherId(event.currentTarget.value)}>
              <option value="">nothing</option>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {versionName(one)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Review skill={skill} onLook={setChosen} />
      {otherId && archive.data && other.data ? (
        <Difference before={other.data} after={archive.data} />
      ) : (
        <div class="bundle">
          <Tree files={files} chosen={path} onChoose={setChosen} />
          {archive.data && path && <FileText archive={archive.data} path={path} />}
        </div>
      )}
    </>
  )
}

const versionName = (one: Skill): string =>
  `${one.number ? `${one.number}: ` : ''}${one.skill_version}${one.is_latest ? ' (latest)' : ''}`

function Review({ skill, onLook }: { skill: Skill; onLook: (path: string) => void }) {
  const notes = skill.review ?? []
  if (notes.length === 0) return null
  return (
    <section class="card" aria-label="Review">
      <h2>Review before use</h2>
      <ul class="list">
        {notes.map((note, index) => (
          <li key={index}>
            <span class="tag held">{note.kind.replaceAll('_', ' ')}</span>{' '}
            <button type="button" class="value placed name" onClick={() => onLook(note.path)}>
              <code>
                {note.path}
                {note.line !== null && `:${note.line}`}
              </code>
            </button>{' '}
            <span class="name">{note.message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface TreeProps {
  readonly files: readonly BundleFile[]
  readonly chosen: string
  readonly onChoose: (path: string) => void
}

/** The files by folder, SKILL.md first. */
function Tree({ files, chosen, onChoose }: TreeProps) {
  const folders = Map.groupBy(
    files.toSorted((a, b) => a.path.localeCompare(b.path)),
    ({ path }) => path.slice(0, path.lastIndexOf('/') + 1),
  )
  return (
    <nav class="card tree" aria-label="Files of the bundle">
      {[...folders]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([folder, list]) => (
          <div key={folder}>
            {folder && <p class="soft small name">{folder}</p>}
            <ul>
              {list.map((one) => (
                <li key={one.path}>
                  <button
                    type="button"
                    class="quiet"
                    aria-current={one.path === chosen ? 'true' : undefined}
                    onClick={() => onChoose(one.path)}
                  >
                    <span class="name">{one.path.slice(folder.length)}</span>{' '}
                    {one.bytes > 0 && <span class="soft small">{byteSize(one.bytes)}</span>}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  )
}

/** A file as plain text only: the author of a bundle is untrusted. */
function FileText({ archive, path }: { archive: Archive; path: string }) {
  const text = useText(archive, path)
  return (
    <section class="card file-text" aria-label={`File ${path}`}>
      <h2 class="name">{path}</h2>
      {text.problem && <Nothing>{text.problem}</Nothing>}
      {text.data !== undefined && <pre class="code">{visible(text.data)}</pre>}
    </section>
  )
}

function useText(archive: Archive, path: string) {
  // Keyed by archive: two versions have files with the same path.
  const number = numberOf(archive)
  return useLoaded<string>(`${number}:${path}`, { load: () => archive.text(path, shownBytesMax) })
}

const numbers = new WeakMap<Archive, number>()
let last = 0
function numberOf(archive: Archive): number {
  const known = numbers.get(archive)
  if (known !== undefined) return known
  last += 1
  numbers.set(archive, last)
  return last
}

interface Changed {
  readonly path: string
  readonly lines: readonly (DiffLine | null)[] | string
}

/** All files that differ between two versions. */
function Difference({ before, after }: { before: Archive; after: Archive }) {
  const key = `${numberOf(before)}-${numberOf(after)}`
  const changed = useLoaded<readonly Changed[]>(key, { load: () => changesOf(before, after) })
  if (!changed.data) return <Problem text={changed.problem} />
  if (changed.data.length === 0) return <Nothing>The two versions are identical.</Nothing>
  return (
    <>
      {changed.data.map(({ path, lines }) => (
        <section key={path} class="card" aria-label={`Difference of ${path}`}>
          <h2 class="name">{path}</h2>
          {typeof lines === 'string' ? <p class="soft">{lines}</p> : <DiffView lines={lines} />}
        </section>
      ))}
    </>
  )
}

async function changesOf(before: Archive, after: Archive): Promise<readonly Changed[]> {
  const paths = [...new Set([...after.paths, ...before.paths])].toSorted()
  const changed: Changed[] = []
  for (const path of paths) {
    if (await isSame(before, after, path)) continue
    try {
      const [a, b] = await Promise.all(
        [before, after].map((one) => (one.paths.includes(path) ? one.text(path, shownBytesMax) : '')),
      )
      if (a !== b) changed.push({ path, lines: excerptOf(diffOf(a ?? '', b ?? '')) })
    } catch (error) {
      changed.push({ path, lines: error instanceof Error ? error.message : 'This file cannot be compared.' })
    }
  }
  return changed
}

/** Whether a file is byte-identical in both: images and the like have no lines to compare. */
async function isSame(before: Archive, after: Archive, path: string): Promise<boolean> {
  if (![before, after].every((one) => one.paths.includes(path))) return false
  try {
    const [a, b] = await Promise.all([before, after].map((one) => one.bytes(path, comparedBytesMax)))
    return a !== undefined && b !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index])
  } catch {
    return false
  }
}
