import Anthropic, { toFile as anthropicFile } from '@anthropic-ai/sdk'
import OpenAI, { toFile } from 'openai'
import OpenAI5 from 'openai5'
import OpenAI6 from 'openai6'
import { afterAll, describe, expect, test } from 'vitest'
import { failureOf } from './support/failure-of.ts'
import { startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const model = await startMockModel({
  script: ({ text }) => ({ text: text.includes('Eleven pears') ? 'Pears.' : 'No.' }),
})

const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1:fast': 'mine/one' }, limits: { requests_per_minute: 1_000_000 } },
    },
  }),
)
afterAll(async () => {
  await model[Symbol.asyncDispose]()
})

let workspaces = 0
/** A key of a workspace of its own. */
const ownKey = async (): Promise<string> => {
  const body = { workspace: `files-${++workspaces}`, scopes: ['admin'] }
  return (await service.call('POST', '/v1/keys', { body })).json.key
}
const pears = Buffer.from('Eleven pears are in the basket.\n')
async function all<Item extends { id: string }>(list: PromiseLike<AsyncIterable<Item>>): Promise<string[]> {
  const ids: string[] = []
  for await (const item of await list) ids.push(item.id)
  return ids
}

const majors: readonly (readonly [string, typeof OpenAI])[] = [
  ['5', OpenAI5 as unknown as typeof OpenAI],
  ['6', OpenAI6 as unknown as typeof OpenAI],
  ['7', OpenAI],
]

describe.each(majors)("OpenAI's client, major %s,", (_major, Client) => {
  const clientOf = (apiKey: string) => new Client({ apiKey, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })

  test('uploads, lists, reads and deletes files, which responses take', async () => {
    const key = await ownKey()
    const client = clientOf(key)
    const file = await client.files.create({ file: await toFile(pears, 'pears.txt'), purpose: 'user_data' })
    expect(file).toEqual({
      id: expect.any(String),
      object: 'file',
      bytes: pears.length,
      created_at: expect.closeTo(Date.now() / 1000, -2),
      filename: 'pears.txt',
      purpose: 'user_data',
      status: 'processed',
    })
    expect(await client.files.retrieve(file.id)).toEqual(file)
    expect(Buffer.from(await (await client.files.content(file.id)).arrayBuffer())).toEqual(pears)
    const other = await client.files.create({ file: await toFile(pears, 'again.txt'), purpose: 'vision' })
    const third = await client.files.create({ file: await toFile(pears, 'third.txt'), purpose: 'user_data' })
    expect(await all(client.files.list({ limit: 1 }))).toEqual([third.id, other.id, file.id])
    expect(await all(client.files.list({ limit: 1, order: 'asc' }))).toEqual([file.id, other.id, third.id])
    expect(await all(client.files.list({ purpose: 'user_data' }))).toEqual([third.id, file.id])
    const content = [
      { type: 'input_file' as const, file_id: file.id },
      { type: 'input_text' as const, text: 'What is in the basket?' },
    ]
    const response = await client.responses.create({ model: 'svc-agent-1:fast', input: [{ role: 'user', content }] })
    expect(response.output_text).toBe('Pears.')
    expect(await client.files.delete(other.id)).toEqual({ id: other.id, object: 'file', deleted: true })
    expect(await all(client.files.list())).toEqual([third.id, file.id])
    // A page goes on behind a file that was deleted meanwhile.
    expect(await all(client.files.list({ after: other.id }))).toEqual([file.id])
    expect(await failureOf(client.files.retrieve(other.id))).toMatchObject({ status: 404, code: 'unknown_file' })
    expect(await failureOf(client.files.content(other.id))).toMatchObject({ status: 404, code: 'unknown_file' })
  })

  test('shows nothing of another workspace', async () => {
    const [mine, other] = [clientOf(await ownKey()), clientOf(await ownKey())]
    const old = await other.files.create({ file: await toFile(pears, 'old.txt'), purpose: 'assistants' })
    const file = await mine.files.create({ file: await toFile(pears, 'secret.txt'), purpose: 'assistants' })
    expect(await all(other.files.list())).toEqual([old.id])
    expect(await all(other.files.list({ after: file.id }))).toEqual([])
    for (const attempt of [
      () => other.files.retrieve(file.id),
      () => other.files.content(file.id),
      () => other.files.delete(file.id),
    ])
      expect(await failureOf(attempt())).toMatchObject({ status: 404, code: 'unknown_file' })
    expect(await mine.files.retrieve(file.id)).toMatchObject({ filename: 'secret.txt' })
  })

  test.each([
    ['an unknown purpose', { purpose: 'fun' }, 'purpose'],
    ['no purpose', { purpose: undefined }, 'purpose'],
    ['an expiry', { expires_after: { anchor: 'created_at', seconds: 3_600 } }, 'expires_after'],
    ['an unknown field', { color: 'red' }, 'color'],
  ])('is refused with %s, and nothing is kept', async (_what, body, param) => {
    const client = clientOf(await ownKey())
    const file = await toFile(pears, 'pears.txt')
    const failure = failureOf(client.files.create({ file, purpose: 'user_data', ...body } as never))
    expect(await failure).toMatchObject({ status: 422, param, error: { type: 'invalid_request_error' } })
    expect(await all(client.files.list())).toEqual([])
  })
})

describe.each(['/anthropic', '/v1/anthropic'])("Anthropic's client at %s", (base) => {
  const clientOf = (apiKey: string) => new Anthropic({ apiKey, baseURL: service.url + base, maxRetries: 0 })

  test('uploads, lists, reads and deletes files, which messages take', async () => {
    const key = await ownKey()
    const client = clientOf(key)
    const file = await client.files.upload({ file: await anthropicFile(pears, 'pears.txt', { type: 'text/plain' }) })
    expect(file).toEqual({
      id: expect.any(String),
      type: 'file',
      filename: 'pears.txt',
      mime_type: 'text/plain',
      size_bytes: pears.length,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      downloadable: true,
      expires_at: null,
      scope: null,
    })
    expect(await client.beta.files.retrieveMetadata(file.id)).toEqual(file)
    expect(Buffer.from(await (await client.beta.files.download(file.id)).arrayBuffer())).toEqual(pears)
    const other = await client.beta.files.upload({ file: await anthropicFile(pears, 'again.txt') })
    expect(await all(client.files.list({ limit: 1 }))).toEqual([other.id, file.id])
    const older = await fetch(`${service.url}${base}/v1/files?beta=true&limit=1&after_id=${other.id}`, {
      headers: { 'x-api-key': key },
    })
    expect(await older.json()).toMatchObject({ data: [file], first_id: file.id, last_id: file.id, has_more: false })
    const message = await client.messages.create({
      model: 'svc-agent-1:fast',
      max_tokens: 50,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'file', file_id: file.id } },
            { type: 'text', text: 'What is in the basket?' },
          ],
        },
      ],
    })
    expect(message.content).toMatchObject([{ type: 'text', text: 'Pears.' }])
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' })
    expect(await all(client.files.list())).toEqual([other.id])
    expect(await failureOf(client.files.retrieveMetadata(file.id))).toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error', code: 'unknown_file' } },
    })
  })

  test('shows nothing of another workspace, and refuses what it does not do', async () => {
    const [mine, other] = [clientOf(await ownKey()), clientOf(await ownKey())]
    const file = await mine.files.upload({ file: await anthropicFile(pears, 'secret.txt') })
    expect(await all(other.files.list())).toEqual([])
    for (const attempt of [
      () => other.files.retrieveMetadata(file.id),
      () => other.files.download(file.id),
      () => other.files.delete(file.id),
    ])
      expect(await failureOf(attempt())).toMatchObject({ status: 404 })
    const refused = { status: 400, error: { error: { type: 'invalid_request_error', code: 'unsupported_parameter' } } }
    expect(await failureOf(mine.beta.files.list({ ids: [file.id] }))).toMatchObject(refused)
    expect(await failureOf(mine.beta.files.list({ scope_id: 'session_1' }))).toMatchObject(refused)
    const expiring = mine.files.upload({ file: await anthropicFile(pears, 'a.txt'), expires_in_seconds: 3_600 })
    expect(await failureOf(expiring)).toMatchObject(refused)
    expect(await all(mine.files.list())).toEqual([file.id])
  })
})
