import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerVersion } from '../packages/reader/src/media/packed-document.ts'
import { callServer, uploadTo } from './support/call.ts'
import { type Cluster, openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { copyVersion } from './support/other-version.ts'
import { testSecretKey } from './support/service.ts'

const otherVersion = 'reader-of-another-version'
const undo = new AsyncDisposableStack()
let cluster: Cluster
/** A server of this version, and one on the same database whose reader reads 144.00 as 145.00. */
let ours: string
let other: string
/** Records of each: of a note that both read alike, and of one that they read differently. */
let byOurs: Records
let byOther: Records
type Records = Readonly<Record<'alike' | 'differently', { id: string; response: unknown }>>

const call = (url: string, path: string, body: object = {}) =>
  callServer({ url, key: cluster.key }, 'POST', `/v1${path}`, { body })
const replay = (url: string, { id }: { id: string }) => call(url, `/agent/executions/${id}/replay`)

async function execute(url: string, total: string, config = {}) {
  const text = `Harbour Supplies\nTotal: ${total}`
  const { json: file } = await uploadTo({ url, key: cluster.key }, text, 'note.txt')
  const inputs = { note: { type: 'input_file', file_id: file.id } }
  const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } }, required: ['total'] }
  const { json } = await call(url, '/agent/execute', { batch: false, inputs, config: { json_schema, ...config } })
  expect(json.status, JSON.stringify(json)).toBe('completed')
  return json
}
const records = async (url: string): Promise<Records> => ({
  alike: await execute(url, '99.00'),
  differently: await execute(url, '144.00'),
})

/** Replaces what a file of the other version says. */
async function change(folder: string, file: string, [before, after]: readonly [string, string]): Promise<void> {
  const path = join(folder, 'packages', 'reader', 'src', 'media', file)
  const text = await readFile(path, 'utf8')
  expect(text.split(before)).toHaveLength(2)
  await writeFile(path, text.replace(before, after))
}

beforeAll(async () => {
  const { folder } = undo.use(await copyVersion())
  await change(folder, 'packed-document.ts', [`'${readerVersion}'`, `'${otherVersion}'`])
  await change(folder, 'text/plain.ts', ['text.slice(start, at)', `text.slice(start, at).replace('144.00', '145.00')`])
  const database = undo.use(await makeDatabase())
  cluster = undo.use(await openCluster(database.address, { SKILLRUN_SECRET_KEY: testSecretKey }))
  // One worker at a time: each runs what its own server accepted.
  const first = await cluster.start('all', {}, folder)
  byOther = await records(first.url)
  await first.kill()
  ours = (await cluster.start('all')).url
  byOurs = await records(ours)
  other = (await cluster.start('api', {}, folder)).url
})
afterAll(() => undo.disposeAsync())

test('a record replays equal where the version of the reader that made it is installed', async () => {
  expect([byOurs.differently.response, byOther.differently.response]).toEqual([{ total: 144 }, { total: 145 }])
  const replays = [
    replay(ours, byOurs.alike),
    replay(ours, byOurs.differently),
    replay(other, byOther.alike),
    replay(other, byOther.differently),
  ]
  for (const one of await Promise.all(replays))
    expect(one).toMatchObject({ status: 200, json: { equal: true, differences: [], model_calls: 0 } })
})

test('elsewhere a replay names both versions of the reader and what they read differently, and is equal where they read alike', async () => {
  expect((await replay(ours, byOther.alike)).json).toMatchObject({ equal: true, differences: [] })
  expect((await replay(other, byOurs.alike)).json).toMatchObject({ equal: true, differences: [] })
  const differences = async (url: string, record: { id: string }) => (await replay(url, record)).json.differences
  expect(await differences(ours, byOther.differently)).toEqual([
    { path: '/steps/1/detail/reader', was: otherVersion, is: readerVersion },
    { path: '/response/total', was: 145, is: 144 },
    ...differentQuote('145.00', '144.00'),
  ])
  expect(await differences(other, byOurs.differently)).toEqual([
    { path: '/steps/1/detail/reader', was: readerVersion, is: otherVersion },
    { path: '/response/total', was: 144, is: 145 },
    ...differentQuote('144.00', '145.00'),
  ])
})

test('a new version of a document takes nothing over that another version of the reader read', async () => {
  const { response } = await execute(ours, '144.00', { base_execution: byOther.differently.id })
  expect(response).toEqual({ total: 144 })
})

const differentQuote = (was: string, is: string) => [{ path: '/evidence/~1total/quote', was, is }]
