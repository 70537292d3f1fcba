import OpenAI, { toFile } from 'openai'
import OpenAI5 from 'openai5'
import OpenAI6 from 'openai6'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from './support/documents.ts'
import { failureOf } from './support/failure-of.ts'
import { startHearing } from './support/hearing.ts'
import { hasFfmpeg, madeSound } from './support/made-media.ts'
import { startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'

const majors: readonly (readonly [string, typeof OpenAI])[] = [
  ['5', OpenAI5 as unknown as typeof OpenAI],
  ['6', OpenAI6 as unknown as typeof OpenAI],
  ['7', OpenAI],
]

describe.skipIf(!(await hasFfmpeg()))('transcriptions', { timeout: 60_000 }, () => {
  let service: TestService
  let hearing: Awaited<ReturnType<typeof startHearing>>
  let model: Awaited<ReturnType<typeof startMockModel>>
  beforeAll(async () => {
    hearing = await startHearing([
      { start: 0.5, end: 2, text: 'Order number: PO-7731' },
      { start: 2, end: 2.75, text: 'Thank you' },
    ])
    model = await startMockModel({ script: () => ({ text: 'no model is needed' }) })
    service = await openTestService({
      config: {
        providers: [
          { name: 'ears', kind: 'openai-compatible', baseUrl: hearing.baseUrl },
          { name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl },
        ],
        file: {
          routes: { 'svc-agent-1:auto': 'mine/one' },
          transcription: { model: 'ears/whisper', micros_per_minute: 6_000 },
          limits: { requests_per_minute: 100_000 },
        },
      },
    })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await model?.[Symbol.asyncDispose]()
    hearing?.close()
  })
  const clientOf = (Client: typeof OpenAI) =>
    new Client({ apiKey: service.key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })

  test.each(majors)("OpenAI's client, major %s, gets a transcript in five formats", async (_major, Client) => {
    const client = clientOf(Client)
    const asked = { file: await toFile(await madeSound(3, 'A note'), 'note.mp3'), model: 'whisper-1' }
    const create = (more: object) => client.audio.transcriptions.create({ ...asked, ...more } as never)
    const text = 'Order number: PO-7731 Thank you'
    expect(await create({})).toMatchObject({ text, usage: { type: 'duration', seconds: expect.closeTo(3, 0) } })
    expect(await create({ response_format: 'verbose_json', timestamp_granularities: ['segment'] })).toMatchObject({
      text,
      duration: expect.closeTo(3, 0),
      segments: [
        { id: 0, start: 0.5, end: 2, text: 'Order number: PO-7731' },
        { id: 1, start: 2, end: 2.75, text: 'Thank you' },
      ],
    })
    expect(await create({ response_format: 'text' })).toBe(`${text}\n`)
    expect(await create({ response_format: 'srt' })).toBe(
      '1\n00:00:00,500 --> 00:00:02,000\nOrder number: PO-7731\n\n2\n00:00:02,000 --> 00:00:02,750\nThank you\n',
    )
    expect(await create({ response_format: 'vtt', model: 'ears/whisper' })).toBe(
      'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nOrder number: PO-7731\n\n00:00:02.000 --> 00:00:02.750\nThank you\n',
    )
  })

  test('a request with an idempotency key is answered once, and with another recording it is a conflict', async () => {
    const client = clientOf(OpenAI)
    const ask = async (sound: Buffer) =>
      client.audio.transcriptions.create(
        { file: await toFile(sound, 'note.mp3'), model: 'whisper-1' },
        { headers: { 'Idempotency-Key': 'the note' } },
      )
    const sound = await madeSound(3, 'The note')
    const first = await ask(sound)
    expect(await ask(sound)).toEqual(first)
    expect(await failureOf(ask(await madeSound(2, 'Another')))).toMatchObject({ status: 409 })
  })

  test('is an execution with its cost; no language model is called and the recording is not kept', async () => {
    const client = clientOf(OpenAI)
    const calls = model.requests.length
    const heard = hearing.heard.length
    const reply = await client.audio.transcriptions.create({
      file: await toFile(await madeSound(3, 'Another note'), 'note.mp3'),
      model: 'whisper',
    })
    const { execution_id: id } = reply as unknown as { execution_id: string }
    const record = (await service.call('GET', `/v1/agent/executions/${id}`)).json
    expect(record).toMatchObject({
      status: 'completed',
      response: { text: 'Order number: PO-7731 Thank you' },
      model_selection: { resolved: 'ears/whisper' },
    })
    expect(record.usage.cost_dollars).toBeCloseTo(0.0003, 4)
    expect(hearing.heard.length - heard).toBe(1)
    expect(model.requests.length - calls).toBe(0)
    expect((await client.files.list()).data).toEqual([])
  })

  test.each([
    ['words with times', { timestamp_granularities: ['word'], response_format: 'verbose_json' }, 422],
    ['speakers', { response_format: 'diarized_json' }, 422],
    ['a language', { language: 'de' }, 422],
    ['a hint', { prompt: 'Orders' }, 422],
    ['a stream', { stream: true }, 422],
    ['an unknown field', { color: 'red' }, 422],
    ['an unknown model', { model: 'gpt-4o-transcribe' }, 404],
  ])('refuses %s before anything is paid', async (_what, more, status) => {
    const heard = hearing.heard.length
    const asked = { file: await toFile(await madeSound(3, 'A note'), 'note.mp3'), model: 'whisper-1', ...more }
    expect(await failureOf(clientOf(OpenAI).audio.transcriptions.create(asked as never))).toMatchObject({
      status,
      error: { message: expect.any(String), type: status === 404 ? 'not_found_error' : 'invalid_request_error' },
    })
    expect(hearing.heard.length).toBe(heard)
    expect((await clientOf(OpenAI).files.list()).data).toEqual([])
  })

  test('is refused by a budget before the recording is sent', async () => {
    const heard = hearing.heard.length
    const { key } = (await service.call('POST', '/v1/keys', { body: { budget_dollars_per_day: 0.0001 } })).json
    const client = new OpenAI({ apiKey: key, baseURL: `${service.url}/v1/openai`, maxRetries: 0 })
    const file = await toFile(await madeSound(3, 'A dear note'), 'note.mp3')
    expect(await failureOf(client.audio.transcriptions.create({ file, model: 'whisper-1' }))).toMatchObject({
      status: 402,
      code: 'budget_spent',
    })
    expect(hearing.heard.length).toBe(heard)
  })

  test('refuses a file without sound', async () => {
    const file = await toFile(await makePdf([['Total: 5.00']]), 'note.pdf')
    expect(await failureOf(clientOf(OpenAI).audio.transcriptions.create({ file, model: 'whisper-1' }))).toMatchObject({
      status: 400,
      code: 'no_speech',
    })
  })
})

test("without a transcriber a recording is refused in OpenAI's form", async () => {
  await using deaf = await openTestService()
  const client = new OpenAI({ apiKey: deaf.key, baseURL: `${deaf.url}/v1/openai`, maxRetries: 0 })
  const file = await toFile(Buffer.from('no matter'), 'note.mp3')
  expect(await failureOf(client.audio.transcriptions.create({ file, model: 'whisper-1' }))).toMatchObject({
    status: 400,
    code: 'no_transcriber',
  })
})
