import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject } from '@skillrun/core/json.ts'
import { limits } from '@skillrun/server/core/limits.ts'
import { parse } from 'yaml'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { printable } from '../render.ts'

/** Common files that are not part of a skill. */
export const leftOut = /(^|\/)(\.git|\.hg|\.svn|node_modules|__pycache__|\.DS_Store|\.venv)(\/|$)/

/** A packed skill folder. */
export interface PackedSkill {
  /** The name in the front matter; undefined without one, which the server reports. */
  readonly name: string | undefined
  readonly description: string | undefined
  readonly zip: Buffer
}

/**
 * Packs a folder with a SKILL.md: its regular files, sorted. Throws Fault `invalid` when SKILL.md is missing, the folder
 * contains anything but files and folders, or it is too large. `name` is as the caller wrote it.
 */
export async function packSkill(folder: string, name: string): Promise<PackedSkill> {
  const state = await stat(folder).catch(() => undefined)
  if (!state?.isDirectory())
    throw new Fault('invalid', 'bad_skill', `${name} is not a folder; give a folder that contains SKILL.md`)
  // Checked first: a folder that was named by mistake may be large.
  const file = await stat(join(folder, 'SKILL.md')).catch(() => undefined)
  if (!file?.isFile()) throw new Fault('invalid', 'bad_skill', `${name} does not contain SKILL.md`)
  const paths = await pathsIn(folder, name)
  return packFiles(
    await Promise.all(
      paths.map(async (path) => ({
        path,
        read: () => readFile(join(folder, path)),
        mode: (await stat(join(folder, path))).mode,
      })),
    ),
    name,
  )
}

/** A file of a skill by its path in the bundle. */
export interface SkillFile {
  readonly path: string
  /** Its Unix mode, of which the bundle keeps whether its owner may execute it. */
  readonly mode?: number
  read(): Promise<Buffer>
}

const ownerExecutes = 0o100
const modes = { plain: 0o100644, executable: 0o100755 } as const

/** Packs files with a SKILL.md among them. Throws Fault `invalid` when they are too many or too large. */
export async function packFiles(files: readonly SkillFile[], name: string): Promise<PackedSkill> {
  if (files.length > limits.bundleEntriesMax)
    throw new Fault(
      'invalid',
      'bad_skill',
      `${name} contains ${files.length} files; at most ${limits.bundleEntriesMax} are allowed`,
    )
  const zip = new ZipFile()
  const packed = buffer(zip.outputStream)
  let bytes = 0
  let instructions = ''
  for (const { path, read, mode = 0 } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const content = await read()
    bytes += content.length
    if (bytes > limits.bundleBytesMax)
      throw new Fault(
        'invalid',
        'bad_skill',
        `${name} contains more than ${limits.bundleBytesMax} bytes, which is the limit`,
      )
    if (path === 'SKILL.md') instructions = content.toString('utf8')
    zip.addBuffer(content, path, {
      mtime: new Date(Date.UTC(1980, 0, 1)),
      mode: (mode & ownerExecutes) === 0 ? modes.plain : modes.executable,
    })
  }
  zip.end()
  return { ...frontMatterOf(instructions), zip: await packed }
}

async function pathsIn(folder: string, name: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '')
    if (leftOut.test(path) || entry.isDirectory()) continue
    if (!entry.isFile())
      throw new Fault('invalid', 'bad_skill', `${join(name, path)} is not a regular file; remove it from the folder`)
    paths.push(path)
  }
  return paths
}

function frontMatterOf(text: string): Pick<PackedSkill, 'name' | 'description'> {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text)?.[1]
  let fields: unknown
  try {
    fields = parse(front ?? '', { schema: 'core', maxAliasCount: 0 })
  } catch {
    fields = {}
  }
  const textOf = (key: string) => {
    const value = isJsonObject(fields) ? fields[key] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined
  }
  return { name: textOf('name'), description: textOf('description') }
}

/**
 * Unpacks the zip of a skill into a new or empty folder and returns the written paths. Names from the server never lead outside
 * it. Throws Fault `invalid` for a folder that is not empty, and for an invalid zip.
 */
export async function unpackSkill(zip: Buffer, folder: string): Promise<readonly string[]> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Fault('invalid', 'bad_output', `${folder} is not writable: ${error.message}`)
  })
  if (there.length > 0)
    throw new Fault('invalid', 'folder_not_empty', `${folder} is not empty; choose another folder with -o`)
  const written: string[] = []
  try {
    const opened = await fromBufferPromise(zip, { strictFileNames: true })
    const entries = opened.eachEntry()
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      const path = next.value.fileName
      if (path.endsWith('/')) continue
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true })
      const isExecutable = ((next.value.externalFileAttributes >>> 16) & ownerExecutes) !== 0
      // The process's mask of modes applies, as to any file that it creates.
      const writing = createWriteStream(target, { flags: 'wx', mode: isExecutable ? 0o777 : 0o666 })
      await pipeline(await opened.openReadStreamPromise(next.value), writing)
      written.push(path)
    }
  } catch (error) {
    throw new Fault('invalid', 'bad_zip', `The zip cannot be unpacked: ${printable(String((error as Error).message))}`)
  }
  return written
}
