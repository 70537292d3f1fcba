import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diff } from 'node:util'
import type { Skill } from '@skillrun/client/openapi.ts'
import { unpackSkill } from '../bundles/skill-folder.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { findSkill } from '../find-skill.ts'
import { printable, renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** Lines of both versions together; of longer files only the fact that they differ is shown. */
const linesMax = 5_000
/** As `diff` marks it. */
const noNewline = '\\ No newline at end of file'
/** Unchanged lines shown around a change. */
const aroundLines = 3

interface ChangedFile {
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Lines prefixed by ` `, `-` or `+`, with `…` for omitted ones; null for binary and for long files. */
  readonly lines: readonly string[] | null
}

/** `skillrun skills diff`: the differences of two versions of a skill. */
export function addSkillDiff(skills: Command, { terminal }: { terminal: Terminal }) {
  skills
    .command('diff <BEFORE> <AFTER>')
    .description('show the differences between two versions of a skill, file by file')
    .examples('skillrun skills diff invoices:1 invoices:2', 'skillrun skills diff invoices:1 invoices')
    .action(async (before: string, after: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const [old, now] = [await findSkill(client, before), await findSkill(client, after)]
      const changed = changesBetween(await filesOf(client, old), await filesOf(client, now))
      if (command.isJson) return terminal.print(renderJson(changed))
      if (changed.length === 0) return terminal.log('the two versions are identical')
      terminal.print(changed.map(textOf).join('\n'))
    })
}

type Files = ReadonlyMap<string, Buffer>

async function filesOf(client: Client, { id }: Skill): Promise<Files> {
  const zip = Buffer.from(await client.skills.download(id))
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-diff-'))
  try {
    const paths = await unpackSkill(zip, folder)
    return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function changesBetween(before: Files, after: Files): readonly ChangedFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return paths.flatMap((path): ChangedFile[] => {
    const [old, now] = [before.get(path), after.get(path)]
    if (old && now?.equals(old)) return []
    const change = !old ? 'added' : now ? 'changed' : 'removed'
    return [{ path, change, lines: linesOf(old, now) }]
  })
}

function linesOf(old: Buffer | undefined, now: Buffer | undefined): readonly string[] | null {
  const [a, b] = [old, now].map((bytes) => (bytes === undefined ? [] : textLines(bytes)))
  if (!a || !b || a.length + b.length > linesMax) return null
  // Myers's shortest edit script. The kind of each step: −1 only in `b`, 1 only in `a`, 0 in both.
  const steps = diff(a, b).map(([kind, line]) => ({ sign: kind === 0 ? ' ' : kind === 1 ? '-' : '+', line }))
  const isNear = steps.map((_, at) =>
    steps.slice(Math.max(0, at - aroundLines), at + aroundLines + 1).some(({ sign }) => sign !== ' '),
  )
  return steps.flatMap(({ sign, line }, at) =>
    isNear[at] ? [`${sign} ${line}`] : isNear[at - 1] || at === 0 ? ['…'] : [],
  )
}

/** Undefined for content that is not UTF-8 text. */
function textLines(bytes: Buffer): string[] | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.includes('\0')) return undefined
    const lines = text.split('\n')
    const last = lines.pop()
    return last ? [...lines, last, noNewline] : lines
  } catch {
    return undefined
  }
}

const textOf = ({ path, change, lines }: ChangedFile): string =>
  [
    `${printable(path)} (${change})`,
    ...(lines ?? [`not shown: binary, or more than ${linesMax} lines in both versions together`]).map(printable),
    '',
  ].join('\n')
