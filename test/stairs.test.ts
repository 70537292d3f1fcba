import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, judge, type Sources } from './house/stairs.ts'

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

const goodHouse = {
  'src/main.mjs': `import { startHouse } from './house.ts'`,
  'src/house.ts': `import { connect } from './seams/db/postgres/connect.ts'\nimport { run } from './features/executions/run.ts'`,
  'src/features/executions/run.ts': `import { findFile } from '../files/files.ts'\nimport type { Db } from '../../seams/db/db.ts'`,
  'src/features/files/files.ts': `import {\n  type Fault,\n} from '../../kit/fault.ts'`,
  'src/features/files/files.test.ts': `import { makeDatabase } from '../../../test/house/database.ts'\nimport { disk } from '../../seams/blobs/disk/disk.ts'`,
  'src/seams/db/postgres/connect.ts': `import type { Db } from '../db.ts'`,
  'src/seams/db/db.ts': `import { Fault } from '../../kit/fault.ts'`,
  'src/seams/blobs/disk/disk.ts': `import { readFile } from 'node:fs/promises'`,
  'src/kit/fault.ts': `export class Fault {}`,
  'cli/main.ts': `import type { Json } from '../src/kit/json.ts'`,
  'src/kit/json.ts': '',
}

describe('the house', () => {
  test('imports go down the stairs, without circles and without names that say nothing', async () => {
    const files = await Promise.all(['src', 'cli', 'client'].map(readSources))
    expect(files.map((list) => list.length > 0)).toEqual([true, true, true])
    expect(judge(new Map(files.flat()))).toEqual([])
  })
})

describe('the judge', () => {
  test('finds nothing wrong in a house that is in order', () => {
    expect(judge(sources(goodHouse))).toEqual([])
  })

  test('does not take a house without code for one in order', () => {
    expect(judge(sources({ 'docs/index.ts': '' }))).toHaveLength(1)
  })

  test.each([
    ['an import upwards', 'src/kit/json.ts', `import { x } from '../agent/schema.ts'`],
    ['a type import upwards', 'src/seams/db/db.ts', `import type { X } from '../../media/document.ts'`],
    ['a dynamic import upwards', 'src/media/read.ts', `const x = await import('../agent/schema.ts')`],
    ['a job upwards', 'src/media/read.ts', `new URL('../agent/answer.job.ts', import.meta.url)`],
    ['a re-export upwards', 'src/media/read.ts', `export { x } from '../agent/schema.ts'`],
    [
      'a brand outside the front door',
      'src/features/files/files.ts',
      `import { x } from '../../seams/db/postgres/x.ts'`,
    ],
    ['a face that knows a brand', 'src/seams/db/db.ts', `import { x } from '../blobs/disk/disk.ts'`],
    ['an adapter that knows another', 'src/seams/blobs/disk/disk.ts', `import { x } from '../memory/memory.ts'`],
    ['a back door into a feature', 'src/features/executions/run.ts', `import { x } from '../files/store.ts'`],
    ['a door between side rooms', 'src/features/files/files.ts', `import { x } from '../keys/keys.ts'`],
    ['a command line that knows the server', 'cli/main.ts', `import { x } from '../src/config.ts'`],
    ['a client that does not stand alone', 'client/skillrun.ts', `import type { Json } from '../src/kit/json.ts'`],
    ['a test above its room', 'src/kit/fault.test.ts', `import { x } from '../agent/schema.ts'`],
    ['code that imports a test', 'src/media/read.ts', `import { x } from './pdf.test.ts'`],
    ['code that leaves the house', 'src/media/read.ts', `import { x } from '../../bench/document.ts'`],
    ['a barrel by name', 'src/media/index.ts', ''],
    ['a barrel by content', 'src/media/all.ts', `export * from './read.ts'`],
    ['a file of helpers', 'src/media/helpers.ts', ''],
    ['a folder of utilities', 'src/media/utils/read.ts', ''],
    ['a file of types', 'src/features/files/types.ts', ''],
    ['a room that is not in the table', 'src/attic/box.ts', ''],
    ['a file that imports itself', 'src/media/read.ts', `import { x } from './read.ts'`],
  ])('finds %s', (_what, path, text) => {
    expect(judge(sources({ ...goodHouse, [path]: text }))).toHaveLength(1)
  })

  test('finds a circle once and says the way round', () => {
    const circle = {
      'src/media/a.ts': `import { b } from './b.ts'`,
      'src/media/b.ts': `import { type C, c } from './c.ts'`,
      'src/media/c.ts': `import { a } from './a.ts'\nimport type { D } from './d.ts'`,
      'src/media/d.ts': `import { a } from './a.ts'`,
    }
    expect(judge(sources(circle))).toEqual([
      'imports go round in a circle: src/media/a.ts → src/media/b.ts → src/media/c.ts → src/media/a.ts',
    ])
  })

  test('reads imports of every form, and no words in strings', () => {
    const text = [
      `import './a.ts'`,
      `import b, { type B } from './b.ts'`,
      `import * as c from "./c.ts"`,
      `export type { D } from './d.ts'`,
      `import pg from 'pg'`,
      "const sql = `select 1\nfrom './e.ts'`",
    ].join('\n')
    expect(importsOf('src/media/x.ts', text).toSorted()).toEqual(['a', 'b', 'c', 'd'].map((x) => `src/media/${x}.ts`))
  })
})
