import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Place, skillrun, startSkillrun } from '../packages/cli/src/command-line.ts'
import { openScriptedPlace } from '../packages/cli/src/scripted-place.ts'
import { fileRecord } from '../packages/cli/src/scripted-server.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { readWorkbook } from './support/workbook.ts'
import { zipOf } from './support/zips.ts'

const folder = await temporaryFolder('batch', afterAll)
let place: Place
/** Lets the model answer; it does not before. */
const mayAnswer = Promise.withResolvers<void>()

const model = await opened(
  startMockModel({
    script: async ({ text }) => {
      await mayAnswer.promise
      return text.includes('broken') ? { status: 400, body: {} } : { text: '{"total": 5}' }
    },
  }),
)
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:fast': 'mine/one', 'svc-agent-1:auto': 'embedded' } },
    },
  }),
)
beforeAll(async () => {
  place = { folder, environment: { SKILLRUN_URL: service.url, SKILLRUN_API_KEY: service.key } }
  await mkdir(join(folder, 'invoices', 'may'), { recursive: true })
  await writeFile(join(folder, 'invoices', 'b.txt'), 'Total: 2.00')
  await writeFile(join(folder, 'invoices', 'may', 'a.txt'), 'Total: 1.00')
  await writeFile(join(folder, 'invoices', '.hidden'), 'Total: 9.00')
  await writeFile(
    join(folder, 'schema.json'),
    JSON.stringify({ type: 'object', properties: { total: { type: ['number', 'null'] } } }),
  )
})

const run = (...args: string[]) => skillrun(args, place)
const files = async () => (await service.call('GET', '/v1/files?limit=1000')).json.length
const batches = async () => (await service.call('GET', '/v1/agent/batches')).json
const all = ['batch', './invoices', '--schema', 'schema.json']

test('a folder becomes a table of results; the same command goes on with the same batch and sends nothing again', async () => {
  const first = await run(...all, '--out', 'results.xlsx')
  expect(first).toMatchObject({ code: 0, stdout: '' })
  expect(first.stderr).toMatch(
    /batch [0-9a-f-]{36}: 2 documents\ncompleted \[#+\] 2\/2, \$[\d.]+\nwrote .*results\.xlsx\n$/,
  )
  const [sheet] = await readWorkbook(await readFile(join(folder, 'results.xlsx')))
  expect(sheet?.rows.map((row) => row.slice(0, 3).map((cell) => cell?.text))).toEqual([
    ['file_name', 'status', 'total'],
    ['b.txt', 'completed', '2'],
    ['may/a.txt', 'completed', '1'],
  ])
  const stored = await files()
  const again = await run(...all, '--out', 'results.csv')
  expect(again.code).toBe(0)
  expect(await readFile(join(folder, 'results.csv'), 'utf8')).toMatch(
    /^file_name,status,total,.*\r\nb\.txt,completed,2,/,
  )
  expect([await files(), (await batches()).length]).toEqual([stored, 1])
  expect((await run(...all, '--new')).stdout.trimEnd().split('\n')).toHaveLength(2)
  expect([await files(), (await batches()).length]).toEqual([stored, 2])
})

test('the same command goes on with the same batch also when two files are equal, or one was sent again meanwhile', async () => {
  await mkdir(join(folder, 'equal'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(folder, 'equal', name), 'Total: 3.00')
  const equal = ['batch', './equal', '--schema', 'schema.json']
  expect((await run(...equal)).code).toBe(0)
  const before = (await batches()).length
  await service.upload(Buffer.from('Total: 3.00'), 'again.txt')
  expect((await run(...equal)).code).toBe(0)
  expect((await batches()).length).toBe(before)
})

test('a place that cannot be written is refused before anything is sent', async () => {
  const stored = await files()
  for (const [out, why] of [
    ['nowhere/results.csv', /nowhere\/results\.csv cannot be written: ENOENT/],
    ['invoices/../b.csv/results.jsonl', /cannot be written/],
    ['folder.csv', /folder\.csv is a folder; name a file/],
  ] as const) {
    await mkdir(join(folder, 'folder.csv'), { recursive: true })
    expect(await run(...all, '--out', out)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) })
  }
  expect(await files()).toBe(stored)
})

test('Ctrl-C leaves the batch to the server, and the same command follows it to its end', async () => {
  await writeFile(join(folder, 'broken.txt'), 'broken')
  const args = ['batch', './invoices', 'broken.txt', '-p', 'Read the total', '--model', 'svc-agent-1:fast']
  const running = startSkillrun([...args, '--schema', 'schema.json'], place)
  await running.stderrIncludes('3 documents')
  running.kill('SIGINT')
  const stopped = await running.ended
  expect(stopped.code).toBe(130)
  expect(stopped.stderr).toContain('The batch continues; run the same command again')
  const before = (await batches()).length
  mayAnswer.resolve()
  const ended = await run(...args, '--schema', 'schema.json')
  expect(ended.code).toBe(1)
  expect((await batches()).length).toBe(before)
  const items = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(items.map(({ status, response }) => [status, response?.total])).toEqual([
    ['completed', 5],
    ['completed', 5],
    ['failed', undefined],
  ])
  const [, id = ''] = /batches retry (\S+)/.exec(ended.stderr) ?? []
  const failed = await run('batches', 'items', id, '--filter', 'failed')
  expect(failed.stdout).toContain('broken.txt')
  expect((await run('batches', 'retry', id)).stdout).toMatch(/status +running/)
  expect((await run('batches', 'list')).stdout).toContain(id)
  expect((await run('batches', 'cancel', id, '--json')).code).toBeLessThanOrEqual(1)
  expect((await run('batches', 'get', id)).stdout).toMatch(/total +3/)
})

test('failures that would come again are explained; only others are advised to be run again', async () => {
  await mkdir(join(folder, 'letters'), { recursive: true })
  await writeFile(join(folder, 'letters', 'a.txt'), 'Dear Sir, thank you.')
  const lasting = await run('batch', './letters', '--schema', 'schema.json')
  expect(lasting).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing_found') })
  expect(lasting.stderr).toMatch(
    /See why documents failed with: skillrun batches items \S+ --filter failed\nRun again unchanged/,
  )
  expect(lasting.stderr).not.toContain('Run the failed documents again')
  const [batch] = await batches()
  await service.database.db.query(
    `update batch_items set error = jsonb_set(error::jsonb, '{retryable}', 'true')::json where batch_id = $1`,
    [batch.id],
  )
  const passing = await run('batch', './letters', '--schema', 'schema.json')
  expect(passing.stderr).toContain(`Run the failed documents again with: skillrun batches retry ${batch.id}`)
})

test('the files in an archive become the documents', async () => {
  await writeFile(join(folder, 'may.zip'), zipOf({ 'b.txt': 'Total: 2.00', 'may/a.txt': 'Total: 1.00' }))
  const ended = await run('batch', 'may.zip', '--schema', 'schema.json')
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  const lines = ended.stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line)).map(({ file_name, response }) => [file_name, response])).toEqual([
    ['b.txt', { total: 2 }],
    ['may/a.txt', { total: 1 }],
  ])
})

test.each([
  [['batch', 'may.zip', './invoices'], 'may.zip is an archive'],
  [['batch', './nowhere'], 'there is no such file or folder'],
  [['batch', './invoices', '--out', 'results.pdf'], 'use .csv, .xlsx or .jsonl'],
  [['batch', './invoices', '--format', 'xlsx'], 'name it with --out'],
  [['batch', './invoices', '--schema', 'no.json'], 'no.json'],
])('%j is refused before anything is sent', async (args, message) => {
  const before = await files()
  const ended = await run(...args)
  expect([ended.code, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toContain(message)
  expect(await files()).toBe(before)
})

test('after a file that cannot be sent, no further file is', async () => {
  await using opened = await openScriptedPlace()
  const { server } = opened
  await mkdir(join(opened.folder, 'many'))
  for (let n = 0; n < 20; n++) await writeFile(join(opened.folder, 'many', `${n}.txt`), `Total: ${n}`)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.script('POST /v1/files', { status: 413, json: { detail: 'The file is too large' } }, async (reply) => {
    await promise
    reply.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(fileRecord('a.txt', 9)))
  })
  const running = startSkillrun(['batch', './many', '-p', 'Read the total'], opened.place)
  await running.stderrIncludes('The file is too large')
  resolve()
  expect(await running.ended).toMatchObject({ code: 1, stdout: '' })
  // Four are sent at once.
  expect(server.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/files')).toHaveLength(4)
})
