import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findViolations, importsOf, type Sources } from './support/architecture.ts'
import { measure } from './support/measures.ts'

const root = join(import.meta.dirname, '..')

async function readSources(folder: string): Promise<[string, string][]> {
  const names = await readdir(join(root, folder), { recursive: true })
  const code = names.filter((name) => /\.m?[jt]s$/.test(name) && !name.startsWith('dist'))
  return Promise.all(
    code.map(async (name) => {
      const path = join(folder, name).split(sep).join('/')
      return [path, await readFile(join(root, path), 'utf8')] as [string, string]
    }),
  )
}

const sources = (files: Readonly<Record<string, string>>): Sources => new Map(Object.entries(files))

const server = 'packages/server/src'
const reader = 'packages/reader/src'

const goodTree = {
  [`${server}/main.mjs`]: `import { startServer } from './server.ts'`,
  [`${server}/server.ts`]: `import { connect } from './adapters/db/postgres/connect.ts'\nimport { run } from './features/runs/run.ts'`,
  [`${server}/features/runs/run.ts`]: `import { findFile } from '../files/files.ts'\nimport type { Db } from '../../adapters/db/db.ts'`,
  [`${server}/features/files/files.ts`]: `import {\n  type Fault,\n} from '@skillrun/core/fault.ts'`,
  [`${server}/features/files/files.test.ts`]: `import { makeDatabase } from '../../../../../test/support/database.ts'\nimport { disk } from '../../adapters/blobs/disk/disk.ts'`,
  [`${server}/adapters/db/postgres/connect.ts`]: `import type { Db } from '../db.ts'`,
  [`${server}/adapters/db/db.ts`]: `import { Fault } from '@skillrun/core/fault.ts'`,
  [`${server}/adapters/blobs/disk/disk.ts`]: `import { readFile } from 'node:fs/promises'`,
  [`${reader}/media/document.ts`]: `import type { Json } from '@skillrun/core/json.ts'`,
  'packages/core/src/fault.ts': `export class Fault {}`,
  'packages/core/src/json.ts': '',
  'packages/cli/src/main.ts': `import type { Json } from '@skillrun/core/json.ts'`,
}

/** Upper bounds of the measures. They may only be lowered. */
const ceilings = { widestParts: 8, forcedCasts: 4, duplicateNames: 37, largestFolder: 25 }

describe('the code', async () => {
  const folders = ['core', 'reader', 'server', 'cli', 'client'].map((name) => `packages/${name}`)
  const files = await Promise.all(folders.map(readSources))
  const code = new Map(files.flat())

  test('exists in every package', () => {
    expect(files.map((list) => list.length > 0)).toEqual(folders.map(() => true))
  })

  test('has imports that follow the layers, no cycles and no meaningless names', () => {
    expect(findViolations(code)).toEqual([])
  })

  test('gives a reason for each unchecked cast, in the line above it', () => {
    expect(measure(code).forcedCastsWithoutReason).toEqual([])
  })

  test('gives no route a database of its own: each uses that of its request, confined to a workspace', () => {
    expect(measure(code).unconfinedRoutes).toEqual([])
  })

  test('of the server takes the time from its clock: features not from the system, SQL not from the database', () => {
    const found = [...code].flatMap(([path, text]) => {
      if (!path.startsWith(server) || path.endsWith('.test.ts')) return []
      const readsSystem = path.startsWith(`${server}/features/`) && /Date\.now\(|new Date\(\)/.test(text)
      const readsDatabase = /(?<![.\w])(?:now|clock_timestamp|statement_timestamp)\(\)|current_timestamp/i.test(text)
      return readsSystem || readsDatabase ? [path] : []
    })
    // It records when a migration was applied; nothing reads that.
    expect(found).toEqual([`${server}/adapters/db/migrate.ts`])
  })

  test('has no wider dependency objects, duplicate names and large folders than before', () => {
    const { widestParts, forcedCasts, duplicateNames, largestFolder } = measure(code)
    console.table({
      'widest object of dependencies': {
        measured: widestParts.size,
        ceiling: ceilings.widestParts,
        at: widestParts.name,
      },
      'unchecked casts': { measured: forcedCasts.length, ceiling: ceilings.forcedCasts, at: '' },
      'names exported twice': { measured: duplicateNames.length, ceiling: ceilings.duplicateNames, at: '' },
      'files in one folder': { measured: largestFolder.size, ceiling: ceilings.largestFolder, at: largestFolder.name },
    })
    const above = [
      ...(widestParts.size > ceilings.widestParts ? [`${widestParts.name} has ${widestParts.size} members`] : []),
      ...(forcedCasts.length > ceilings.forcedCasts ? [`as unknown as: ${forcedCasts.join(', ')}`] : []),
      ...(duplicateNames.length > ceilings.duplicateNames ? [`exported twice: ${duplicateNames.join(', ')}`] : []),
      ...(largestFolder.size > ceilings.largestFolder ? [`${largestFolder.name} has ${largestFolder.size} files`] : []),
    ]
    expect(above).toEqual([])
  })
})

describe('measure', () => {
  const features = `${server}/features`
  const code = sources({
    [`${features}/files/files.ts`]: [
      `import type { Db as Database } from '../../adapters/db/db.ts'`,
      'export interface FileParts {\n  readonly db: Database\n  readonly blobs: { readonly put: () => void }\n}',
    ].join('\n'),
    [`${features}/executions/executions.ts`]: `export { type StartParts, start } from './start.ts'`,
    [`${features}/executions/start.ts`]: [
      `import type { FileParts as Stored } from '../files/files.ts'`,
      `/** Why. */\nexport interface StartParts extends Omit<Stored, 'blobs'>, Pick<Clocks, 'clock'> {\n  readonly queue: Queue\n  tell(): void\n}`,
      'export function start() {\n  inside: 1\n}',
    ].join('\n\n'),
    [`${features}/runs/run.ts`]: [
      `import { type StartParts, start } from '../executions/executions.ts'`,
      'export type RunParts = StartParts & {\n  readonly log: Log\n}',
      'export const start = 1',
    ].join('\n\n'),
    [`${features}/runs/run.test.ts`]: 'export const start = 2',
  })

  test('counts the members of a dependency object including those of its base types', () => {
    expect(measure(code).widestParts).toEqual({ name: `RunParts in ${features}/runs/run.ts`, size: 5 })
  })

  test('finds routes that bring a database of their own, directly or by a type that they extend', () => {
    const routes = `${features}/runs/routes.ts`
    const ofRoute = (parts: string) =>
      measure(new Map([...code, [routes, `import type { StartParts } from '../executions/executions.ts'\n${parts}`]]))
    const name = `RunRouteParts in ${routes}`
    expect(ofRoute('export interface RunRouteParts extends StartParts {\n}').unconfinedRoutes).toEqual([name])
    expect(ofRoute('export interface RunRouteParts {\n  readonly db: Db\n}').unconfinedRoutes).toEqual([name])
    expect(ofRoute(`export interface RunRouteParts extends Omit<StartParts, 'db'> {\n}`).unconfinedRoutes).toEqual([])
  })

  test('finds unchecked casts, and those without a reason in the line above', () => {
    const cast = `${features}/runs/cast.ts`
    const text = 'const a = b as unknown as C\n// Its types are wrong.\nconst d = e as unknown as F'
    const { forcedCasts, forcedCastsWithoutReason } = measure(sources({ [cast]: text }))
    expect(forcedCasts).toEqual([`${cast}:1`, `${cast}:3`])
    expect(forcedCastsWithoutReason).toEqual([`${cast}:1`])
  })

  test('finds names that two files of a package export, except in tests and re-exports', () => {
    expect(measure(code).duplicateNames).toEqual(['server: start'])
  })

  test('finds the folder with the most files, not counting tests', () => {
    expect(measure(code).largestFolder).toEqual({ name: `${features}/executions`, size: 2 })
  })
})

describe('findViolations', () => {
  test('accepts a valid tree', () => {
    expect(findViolations(sources(goodTree))).toEqual([])
  })

  test('rejects a tree without code', () => {
    expect(findViolations(sources({ 'docs/index.ts': '' }))).toHaveLength(1)
  })

  test.each([
    [
      'core that imports the server',
      'packages/core/src/json.ts',
      `import { x } from '@skillrun/server/agent/schema/schema.ts'`,
    ],
    ['a reader that imports the server', `${reader}/media/read.ts`, `import { x } from '@skillrun/server/config.ts'`],
    ['a type import upwards', `${server}/adapters/db/db.ts`, `import type { X } from '../../agent/schema.ts'`],
    ['a dynamic import upwards', `${server}/agent/loop.ts`, `const x = await import('../tools/tools.ts')`],
    ['a job upwards', `${server}/media/draw.ts`, `new URL('../agent/answer.job.ts', import.meta.url)`],
    ['a re-export upwards', `${server}/agent/loop.ts`, `export { x } from '../tools/tools.ts'`],
    [
      'a feature that chooses an implementation',
      `${server}/features/files/files.ts`,
      `import { x } from '../../adapters/db/postgres/x.ts'`,
    ],
    [
      'an interface that knows an implementation',
      `${server}/adapters/db/db.ts`,
      `import { x } from '../blobs/disk/disk.ts'`,
    ],
    [
      'an implementation that knows another',
      `${server}/adapters/blobs/disk/disk.ts`,
      `import { x } from '../memory/memory.ts'`,
    ],
    ['an import of the inside of a feature', `${server}/features/runs/run.ts`, `import { x } from '../files/store.ts'`],
    [
      'an import of a feature that comes later',
      `${server}/features/files/files.ts`,
      `import { x } from '../executions/executions.ts'`,
    ],
    [
      'a type import of a feature that comes later',
      `${server}/features/files/files.ts`,
      `import type { X } from '../executions/executions.ts'`,
    ],
    [
      'a test of a feature that comes later',
      `${server}/features/files/files.test.ts`,
      `import { x } from '../executions/run.ts'`,
    ],
    ['a feature without a place in the order', `${server}/features/attic/attic.ts`, ''],
    [
      'a command line that knows the server',
      'packages/cli/src/main.ts',
      `import { x } from '@skillrun/server/config.ts'`,
    ],
    [
      'a client that does not stand alone',
      'packages/client/src/skillrun.ts',
      `import type { Json } from '@skillrun/core/json.ts'`,
    ],
    ['a test above its layer', 'packages/core/src/fault.test.ts', `import { x } from '@skillrun/server/config.ts'`],
    ['code that imports a test', `${reader}/media/read.ts`, `import { x } from './pdf.test.ts'`],
    ['code that leaves the packages', `${reader}/media/read.ts`, `import { x } from '../../../../bench/document.ts'`],
    ['a barrel by name', `${reader}/media/index.ts`, ''],
    ['a barrel by content', `${reader}/media/all.ts`, `export * from './read.ts'`],
    ['a file of helpers', `${reader}/media/helpers.ts`, ''],
    ['a folder of utilities', `${reader}/media/utils/read.ts`, ''],
    ['a file of types', `${server}/features/files/types.ts`, ''],
    ['a folder that is in no layer', 'packages/server/attic/box.ts', ''],
    ['a file that imports itself', `${reader}/media/read.ts`, `import { x } from './read.ts'`],
  ])('finds %s', (_what, path, text) => {
    expect(findViolations(sources({ ...goodTree, [path]: text }))).toHaveLength(1)
  })

  test('reports a cycle once, with its path', () => {
    const cycle = {
      [`${reader}/a.ts`]: `import { b } from './b.ts'`,
      [`${reader}/b.ts`]: `import { type C, c } from './c.ts'`,
      [`${reader}/c.ts`]: `import { a } from './a.ts'`,
    }
    expect(findViolations(sources(cycle))).toEqual([
      `import cycle: ${['a', 'b', 'c', 'a'].map((name) => `${reader}/${name}.ts`).join(' → ')}`,
    ])
  })

  test('counts type imports in cycles', () => {
    const cycle = {
      [`${reader}/a.ts`]: `import { b } from './b.ts'`,
      [`${reader}/b.ts`]: `import type { A } from './a.ts'`,
    }
    expect(findViolations(sources(cycle))).toEqual([
      `import cycle: ${['a', 'b', 'a'].map((name) => `${reader}/${name}.ts`).join(' → ')}`,
    ])
  })

  test('parses all forms of imports, and ignores strings', () => {
    const text = [
      `import './a.ts'`,
      `import b, { type B } from './b.ts'`,
      `import * as c from "./c.ts"`,
      `export type { D } from './d.ts'`,
      `import { e } from '@skillrun/core/e.ts'`,
      `import pg from 'pg'`,
      "const sql = `select 1\nfrom './f.ts'`",
    ].join('\n')
    expect(importsOf(`${reader}/media/x.ts`, text).toSorted()).toEqual([
      'packages/core/src/e.ts',
      ...['a', 'b', 'c', 'd'].map((x) => `${reader}/media/${x}.ts`),
    ])
  })
})
