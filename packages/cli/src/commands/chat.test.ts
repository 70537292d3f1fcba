import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Place, skillrun } from '../command-line.ts'
import { openScriptedPlace } from '../scripted-place.ts'
import type { Answer, ScriptedServer } from '../scripted-server.ts'

let server: ScriptedServer
let folder: string
let place: Place

beforeEach(async () => {
  const opened = await openScriptedPlace()
  ;({ server, folder, place } = opened)
  return () => opened[Symbol.asyncDispose]()
})

const chatRoute = 'POST /v1/openai/chat/completions'
const chunk = (content: string) =>
  `data: ${JSON.stringify({ session_id: 's-1', choices: [{ delta: { content } }] })}\n\n`
const streamed =
  (...parts: readonly (string | Buffer)[]): Answer =>
  (reply) => {
    reply.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const part of parts) reply.write(part)
    reply.end()
  }

test('chat prints the reply as it arrives, however its bytes are split, and the session on stderr', async () => {
  const bytes = Buffer.from(`${chunk('Twelve €')}${chunk('\u001b[31m and 50.\nThat is all')}data: [DONE]\n\n`)
  const middle = bytes.indexOf('€') + 1
  server.script(chatRoute, streamed(bytes.subarray(0, middle), bytes.subarray(middle)))
  const said = await skillrun(['chat', 'How much?', '--session', 's-1', '--skill-id', 'totals'], place)
  expect(said).toEqual({ code: 0, stdout: 'Twelve €[31m and 50.\nThat is all\n', stderr: 'session s-1\n' })
  expect(server.seen.at(-1)?.json).toEqual({
    messages: [{ role: 'user', content: 'How much?' }],
    session_id: 's-1',
    skills: [{ type: 'skill_reference', skill_id: 'totals' }],
    stream: true,
  })
})

test('a reply that is cut off, or fails in the middle, is a failure', async () => {
  server.script(chatRoute, streamed(chunk('Twel')))
  expect(await skillrun(['chat', 'How much?'], place)).toMatchObject({ code: 3, stdout: 'Twel' })
  server.script(chatRoute, streamed(`data: {"error":{"message":"The model is gone"}}\n\n`))
  const failed = await skillrun(['chat', 'How much?'], place)
  expect(failed).toEqual({ code: 1, stdout: '', stderr: 'skillrun: The model is gone\n' })
})

test('chat --json prints the streamed reply as one completion', async () => {
  const head = { id: 'chatcmpl-1', created: 1, model: 'm', session_id: 's-1', service_tier: 'standard' }
  const event = (more: object) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], ...more })}\n\n`
  const part = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const printed = async (...parts: readonly string[]) => {
    const ended = [event({ usage: { total_tokens: 9 } }), 'data: [DONE]\n\n']
    server.script(chatRoute, streamed(part({ role: 'assistant', content: '' }), ...parts, ...ended))
    return JSON.parse((await skillrun(['chat', 'How much?', '--json'], place)).stdout)
  }
  const completion = (message: object, finish_reason: string) => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason }],
    usage: { total_tokens: 9 },
  })
  expect(
    await printed(part({ content: 'Twelve' }), ': still here\n\n', part({ content: ' 50' }), part({}, 'stop')),
  ).toEqual(completion({ content: 'Twelve 50', refusal: null }, 'stop'))
  expect(await printed(part({ refusal: 'No.' }), part({}, 'content_filter'))).toEqual(
    completion({ content: null, refusal: 'No.' }, 'content_filter'),
  )
  server.script(chatRoute, streamed(`data: {"error":{"message":"The model is gone"}}\n\n`))
  expect(await skillrun(['chat', 'How much?', '--json'], place)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'skillrun: The model is gone\n',
  })
})

test('a chat, a replay and embeddings, which may take minutes, are not given up after the minute that others have', async () => {
  server.script(chatRoute, streamed(chunk('Twelve'), 'data: [DONE]\n\n'))
  const replay = { execution_id: 'e', equal: true, differences: [], model_calls: 0 }
  server.script('POST /v1/agent/executions/e/replay', { status: 200, json: replay })
  server.script('POST /v1/openai/embeddings', { status: 200, json: { data: [{ embedding: [1, 2] }] } })
  server.script('GET /v1/models', { status: 200, json: [] })
  // Every limit has ended when it starts.
  const over = `AbortSignal.timeout = () => AbortSignal.abort(new DOMException('too late', 'TimeoutError'))`
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(over)}"`
  const run = (...args: string[]) => skillrun(args, { ...place, environment: { ...place.environment, NODE_OPTIONS } })
  expect(await run('models')).toMatchObject({ code: 3, stderr: expect.stringContaining('did not reply within 60 s') })
  expect(await run('chat', 'How much?', '--json')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('replay', 'e')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('embed', 'pear', '--model', 'm')).toEqual({ code: 0, stdout: '[1,2]\n', stderr: '' })
})

test('artifacts are downloaded under their own names, which never leave the folder', async () => {
  const items = [{ object_id: 'img_a1b2c3', filename: '../chart.png', source: 'store' }]
  server.script('GET /v1/artifacts/list', { status: 200, json: { namespace_id: 'e', items } })
  server.script('GET /v1/artifacts', (reply) => void reply.writeHead(200, { 'Content-Type': 'image/png' }).end('PNG'))
  const listed = await skillrun(['artifacts', 'list', '--execution', 'e'], place)
  expect(listed.stdout).toMatch(/^img_a1b2c3 +store +\.\.\/chart\.png$/m)
  const fetched = await skillrun(['artifacts', 'download', 'img_a1b2c3', '--execution', 'e'], place)
  expect(fetched.code).toBe(0)
  expect(await readFile(join(folder, 'chart.png'), 'utf8')).toBe('PNG')
  expect(server.seen.at(-1)?.query).toEqual({ execution_id: 'e', object_id: 'img_a1b2c3' })
  expect(await skillrun(['artifacts', 'download', 'img_a1b2c3', '--session', 's', '-o', '-'], place)).toMatchObject({
    stdout: 'PNG',
  })
  expect(await skillrun(['artifacts', 'list'], place)).toMatchObject({ code: 2, stdout: '' })
})
