import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Place, type Running, skillrun, startSkillrun } from '../packages/cli/src/command-line.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const folder = await temporaryFolder('command line with spaces', afterAll)
let server: Running
let place: Place
const key = 'the-key-of-the-operator'

beforeAll(async () => {
  await writeFile(join(folder, 'invoice.pdf'), await makePdf([invoiceLines]))
  await writeFile(join(folder, 'schema.json'), JSON.stringify(invoiceSchema))
  server = startSkillrun(['serve', '--port', '0', '--data', 'data'], { folder, environment: { SKILLRUN_API_KEY: key } })
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  place = { folder, environment: { SKILLRUN_URL: url, SKILLRUN_API_KEY: key } }
})

afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
})

const extract = ['execute', '-i', 'invoice.pdf', '--schema', 'schema.json', '-p', 'Extract the invoice']

test('an invoice is passed on the command line and its fields are printed on stdout', async () => {
  const ended = await skillrun(extract, place)
  expect(ended.stderr).toContain('completed in')
  expect(JSON.parse(ended.stdout)).toEqual({ invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 })
  expect(ended.code).toBe(0)
})

test('a background execution is found by its id and in the list', async () => {
  const { id } = JSON.parse((await skillrun([...extract, '--batch'], place)).stdout) as { id: string }
  const waited = await skillrun(['executions', 'get', id, '--wait'], place)
  expect(JSON.parse(waited.stdout)).toMatchObject({ total: 144 })
  const listed = await skillrun(['executions', 'list', '--status', 'completed'], place)
  expect(listed.stdout).toContain(id)
})

test('an execution is estimated, rerun, inspected and counted', async () => {
  const estimate = JSON.parse((await skillrun([...extract, '--estimate'], place)).stdout)
  expect(estimate.agent.standard.expected_dollars).toBe(0)
  const { id } = JSON.parse((await skillrun([...extract, '--record', '--session', 's-1'], place)).stdout)
  const steps = await skillrun(['executions', 'steps', id], place)
  expect(steps.stdout).toMatch(/^# +KIND +NAME +TOOK +COST\n1 +tool +document\.read/)
  const again = (await skillrun(['executions', 'rerun', id, '--tier', 'flex'], place)).stdout.trim()
  expect((await skillrun(['executions', 'get', again, '--wait'], place)).code).toBe(0)
  const listed = await skillrun(['executions', 'list', '--tier', 'flex', '--session', 's-1', '--json'], place)
  expect(JSON.parse(listed.stdout).map((one: { id: string }) => one.id)).toEqual([again])
  const cancelled = await skillrun(['executions', 'cancel', id], place)
  expect(cancelled).toMatchObject({ code: 1, stdout: '' })
  expect((await skillrun(['executions', 'callbacks', id, '--json'], place)).stdout).toBe('[]\n')
  const usage = await skillrun(['usage', '--by', 'tier'], place)
  expect(usage.stdout).toMatch(/^TIER +EXECUTIONS .*\nflex +1 [\s\S]*\nall +\d/)
})

test('a prompt is named, listed, shown, and run by its name', async () => {
  const made = await skillrun(
    ['agents', 'create', 'named-here', '-p', 'Extract the invoice', '--schema', 'schema.json'],
    place,
  )
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^name +named-here$/m)
  expect((await skillrun(['agents', 'list'], place)).stdout).toMatch(/named-here:1 .*Extract the invoice/)
  const shown = await skillrun(['agents', 'get', 'named-here:1', '--json'], place)
  expect(JSON.parse(shown.stdout)).toMatchObject({ prompt: 'Extract the invoice', json_schema: invoiceSchema })
  const { id } = JSON.parse(shown.stdout)
  const byId = await skillrun(['agents', 'get', id.toUpperCase(), '--json'], place)
  expect(JSON.parse(byId.stdout)).toMatchObject({ id })
  const ran = await skillrun(['execute', '--name', 'named-here', '-i', 'invoice.pdf'], place)
  expect(JSON.parse(ran.stdout)).toMatchObject({ total: 144 })
  expect(await skillrun(['agents', 'get', 'nobody'], place)).toMatchObject({ code: 1, stdout: '' })
})

test('a conversation about a file is answered on stdout, and an execution without artifacts lists none', async () => {
  const said = await skillrun(['chat', 'Extract the invoice', '-i', 'invoice.pdf'], place)
  expect(said.code).toBe(0)
  expect(said.stdout).toContain('INV-2041')
  const session = /^session (\S+)$/m.exec(said.stderr)?.[1] ?? ''
  const { stdout } = await skillrun(['executions', 'list', '--session', session, '--json'], place)
  expect(JSON.parse(stdout)).toHaveLength(1)
  expect(await skillrun(['artifacts', 'list', '--session', session], place)).toMatchObject({ code: 0, stderr: '' })
  const refused = await skillrun(['chat', 'Write a poem'], place)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('needs a language model')
})

test('chat --json prints what the API returns without a stream', async () => {
  const { stdout } = await skillrun(['chat', 'Extract the invoice', '-i', 'invoice.pdf', '--json'], place)
  const uploaded = await skillrun(['files', 'upload', 'invoice.pdf', '--json'], place)
  const content = [
    { type: 'text', text: 'Extract the invoice' },
    { type: 'input_file', file_id: JSON.parse(uploaded.stdout)[0].id },
  ]
  const reply = await fetch(`${place.environment?.['SKILLRUN_URL']}/v1/openai/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  })
  expect(reply.status).toBe(200)
  const own = { id: expect.any(String), created: expect.any(Number), session_id: expect.any(String) }
  expect(JSON.parse(stdout)).toEqual({ ...((await reply.json()) as object), ...own })
})

test('a file name with terminal escapes is stored, and printed without them', async () => {
  const name = 'red \u001b[31m.txt'
  await writeFile(join(folder, name), 'Total: 1')
  const sent = await skillrun(['files', 'upload', name], place)
  expect(sent).toMatchObject({ code: 0, stderr: expect.not.stringContaining('\u001b') })
  expect(sent.stdout).not.toContain('\u001b')
})

test('an uploaded file is downloaded byte for byte', async () => {
  const uploaded = await skillrun(['files', 'upload', 'invoice.pdf', '--json'], place)
  const [{ id } = { id: '' }] = JSON.parse(uploaded.stdout) as { id: string }[]
  expect((await skillrun(['files', 'list'], place)).stdout).toContain(id)
  const downloaded = await skillrun(['files', 'download', id, '-o', '-'], place)
  expect(downloaded.stdout).toContain('%PDF-')
  expect((await skillrun(['files', 'get', id], place)).stdout).toContain('invoice.pdf')
})

test('a key of another workspace sees nothing of this one, and stops working once revoked', async () => {
  const made = await skillrun(['keys', 'create', '--workspace', 'second', '--json'], place)
  const second = JSON.parse(made.stdout) as { id: string; key: string }
  const listed = await skillrun(['executions', 'list', '--json', '--key', second.key], place)
  expect(listed).toMatchObject({ code: 0, stdout: '[]\n' })
  expect((await skillrun(['keys', 'revoke', second.id, '--key', second.key], place)).code).toBe(0)
  // A server may cache a key for a moment.
  await expect
    .poll(async () => (await skillrun(['files', 'list', '--key', second.key], place)).code, { timeout: 20_000 })
    .toBe(4)
})

test('a key is created with a budget for each day', async () => {
  const made = await skillrun(['keys', 'create', '--budget', '2.50', '--json'], place)
  expect(JSON.parse(made.stdout)).toMatchObject({ budget_dollars_per_day: 2.5 })
  const refused = await skillrun(['keys', 'create', '--budget', 'much'], place)
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('much is not an amount') })
})

test('a request that the server refuses names the field: exit code 2', async () => {
  const ended = await skillrun(['execute', '-p', 'Read', '--model', 'nobody'], place)
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(/^skillrun: model: /)
})

test('doctor finds the server', async () => {
  const ended = await skillrun(['doctor'], place)
  expect(ended.stdout).toMatch(/^ok +server /m)
})

test('models lists the values of --model', async () => {
  expect((await skillrun(['models'], place)).stdout).toMatch(/^svc-agent-1 /m)
})

test('an invalid setting stops serve and worker too, with its message and exit code', async () => {
  for (const command of ['serve', 'worker']) {
    const ended = await skillrun([command], { folder, environment: { SKILLRUN_SLOTS: 'none' } })
    expect(ended.code, command).toBe(1)
    expect(ended.stderr, command).toMatch(/^skillrun: SKILLRUN_SLOTS [^\n]*\n$/)
  }
})

test('SIGTERM to serve also stops the server', async () => {
  server.kill('SIGTERM')
  const ended = await server.ended
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('Stopped.')
})
