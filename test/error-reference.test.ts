import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOf } from '../packages/cli/src/exit-codes.ts'
import { Fault, type FaultKind } from '../packages/core/src/fault.ts'
import { statusOf } from '../packages/server/src/adapters/http/faults.ts'

/*
 * docs/ERRORS.md names every code that the service and the command can answer, and no other. The codes are those of the source: of
 * Faults, of objects with a `code`, and of programs.
 */

const root = join(import.meta.dirname, '..')

/** Codes in the source that are made of parts: `bad_${what}` of files that the command reads, and `unknown_${noun}` of callbacks. */
const composed: Readonly<Record<'command' | 'service', readonly (readonly [string, FaultKind])[]>> = {
  command: (['schema', 'configuration', 'response', 'keys', 'capsule', 'record'] as const).map((what) => [
    `bad_${what}`,
    'invalid',
  ]),
  service: [
    ['unknown_execution', 'missing'],
    ['unknown_batch', 'missing'],
  ],
}

/** Objects with a `code` that no caller sees: rules of Zod, which become `validation`, and a property of a regular expression. */
const internal = new Set(['custom', 'invalid_type', 'too_small', 'too_big', 'pattern'])

const packagesOf = { command: ['cli', 'client'], service: ['core', 'reader', 'server'] } as const

/** The codes of a part with the kinds of its Faults; none where the code is no Fault's. */
async function codesOf(who: keyof typeof packagesOf): Promise<ReadonlyMap<string, ReadonlySet<FaultKind>>> {
  const codes = new Map<string, Set<FaultKind>>()
  const add = (code: string, kinds: readonly string[]) =>
    codes.set(code, new Set([...(codes.get(code) ?? []), ...(kinds as FaultKind[])]))
  for (const [code, kind] of composed[who]) add(code, [kind])
  for (const name of packagesOf[who]) {
    const folder = join(root, 'packages', name, 'src')
    for (const entry of await readdir(folder, { recursive: true })) {
      if (!/(?<!\.test|\.d)\.ts$/.test(entry) || /testing|conformance|scripted|openapi\.ts$/.test(entry)) continue
      const text = await readFile(join(folder, entry), 'utf8')
      for (const [, kind = '', code = ''] of text.matchAll(/new Fault\(\s*([^,]+?),\s*'([a-z_0-9]+)',/g))
        add(
          code,
          [...kind.matchAll(/'([a-z_]+)'/g)].map(([, one = '']) => one),
        )
      for (const [, code = ''] of text.matchAll(/\bcode: '([a-z_0-9]+)'/g)) if (!internal.has(code)) add(code, [])
      for (const [, code = ''] of text.matchAll(/\b(?:failed|failure|fail|RealmLost)\('(program_[a-z_]+)'/g))
        add(code, [])
      for (const [, code = ''] of text.matchAll(/\bfailed\([a-z.]+, '([a-z_]+)'/g)) add(code, [])
    }
  }
  return codes
}

interface Row {
  readonly section: string
  readonly status: string
  readonly cells: readonly string[]
}

async function documented(): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = new Map<string, Row[]>()
  let section = ''
  for (const line of (await readFile(join(root, 'docs', 'ERRORS.md'), 'utf8')).split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    const code = /^\| `([a-z_0-9]+)` \|/.exec(line)?.[1]
    if (code === undefined || section === '') continue
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const status = cells.length === 4 ? (cells[1] ?? '') : ''
    rows.set(code, [...(rows.get(code) ?? []), { section, status, cells }])
  }
  return rows
}

const ofCommand = 'Command line'
/** Sections whose failures no HTTP reply carries. */
const withoutStatus = new Set(['Start, backup and restore', 'Warnings of a record', 'Callbacks'])

const rows = await documented()
const isOf = (code: string, who: 'command' | 'service') =>
  (rows.get(code) ?? []).filter(({ section }) => (section === ofCommand) === (who === 'command'))

test.each(['service', 'command'] as const)(
  'docs/ERRORS.md names every code of the %s once, and no other',
  async (who) => {
    const codes = (await codesOf(who)).keys()
    const named = [...rows.keys()].filter((code) => isOf(code, who).length > 0)
    expect(named.sort()).toEqual([...codes].sort())
    expect(named.filter((code) => isOf(code, who).length > 1)).toEqual([])
  },
)

test('docs/ERRORS.md gives each code its HTTP status, or its exit code, and says what to do', async () => {
  const service = await codesOf('service')
  const command = await codesOf('command')
  for (const [code, all] of rows)
    for (const { section, status, cells } of all) {
      expect([code, cells.every((cell) => cell !== ''), cells.length]).toEqual([
        code,
        true,
        withoutStatus.has(section) ? 3 : 4,
      ])
      const from = section === ofCommand ? command : service
      const kinds = [...(from.get(code) ?? [])]
      if (withoutStatus.has(section) || kinds.length === 0) continue
      const numbers = kinds.map((kind) =>
        section === ofCommand ? exitCodeOf(new Fault(kind, code, '')) : statusOf[kind],
      )
      expect([code, status]).toEqual([code, [...new Set(numbers)].sort().join(', ')])
    }
})
