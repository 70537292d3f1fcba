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
