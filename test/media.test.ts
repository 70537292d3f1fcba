import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHearing } from './support/hearing.ts'
import { claimingSound, hasFfmpeg, longFilm, madeFilm, madeSound } from './support/made-media.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'

const schema = {
  type: 'object',
  properties: {
    duration_seconds: { type: ['number', 'null'] },
    width: { type: ['integer', 'null'] },
    title: { type: ['string', 'null'] },
    invoice_number: { type: ['string', 'null'] },
  },
}

describe.skipIf(!(await hasFfmpeg()))('video and audio', { timeout: 60_000 }, () => {
  let service: TestService
  let hearing: Awaited<ReturnType<typeof startHearing>>
  let model: Awaited<ReturnType<typeof startMockModel>>
  let film: string
  const subtitles = '1\n00:00:00,500 --> 00:00:01,500\nWelcome to the house\n'
  let turns: (MockTurn | ((request: MockRequest) => MockTurn))[] = []
  beforeAll(async () => {
    hearing = await startHearing()
    model = await startMockModel({
      script: (request) => {
        const turn = turns[request.results.length] ?? { text: '{"seen":2}' }
        return typeof turn === 'function' ? turn(request) : turn
      },
    })
    const ears = { kind: 'openai-compatible', base_url: hearing.baseUrl } as const
    const eyes = { kind: 'openai-compatible', base_url: model.baseUrl } as const
    service = await openTestService({
      config: {
        providers: [
          { name: 'ears', kind: ears.kind, baseUrl: hearing.baseUrl },
          { name: 'eyes', kind: eyes.kind, baseUrl: model.baseUrl },
        ],
        file: {
          routes: { 'svc-agent-1': 'eyes/one', 'svc-agent-1:auto': 'embedded' },
          models: { 'eyes/one': { takes: ['text', 'image', 'tools'] } },
          transcription: { model: 'ears/whisper', micros_per_minute: 6_000 },
        },
      },
    })
    const bytes = await madeFilm(['Invoice number: INV-4711', 'Thank you'], { subtitles })
    film = (await service.upload(bytes, 'film.mp4')).id
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
    hearing.close()
  })

  const execute = (file: string, more: object = {}) =>
    service.execute({ inputs: { media: { type: 'input_file', file_id: file } }, ...more })
  const config = { prompt: 'Extract the fields', json_schema: schema }

  test('a video is read from its facts, the text in its frames and its subtitles, and counts as one video', async () => {
    const record = await execute(film, { config })
    expect([record.status, record.error]).toEqual(['completed', null])
    expect(record.response).toMatchObject({ width: 640, title: 'Rules of the house', invoice_number: 'INV-4711' })
    expect(record.response.duration_seconds).toBeCloseTo(4, 0)
    // It is in the first frame; the title of the file has no time.
    expect(record.evidence['/invoice_number']).toMatchObject({ input: 'media', seconds: [0, 0] })
    expect(record.evidence['/title']).not.toHaveProperty('seconds')
    expect(record.usage).toMatchObject({ elements_processed: 1, element_type: 'video' })
    expect(hearing.heard).toHaveLength(0)
  })

  test('a vision model sees the frames at the requested times, with their text', async () => {
    const record = await execute(film, {
      model: 'svc-agent-1',
      config: { prompt: 'Count', video_segment_duration: 2, video_frames_per_segment: 1 },
    })
    expect(record.status).toBe('completed')
    const asked = model.requests.at(-1)
    expect(asked?.pictures).toHaveLength(2)
    expect(asked?.text).toContain('[frame at 00:00:02')
    expect(asked?.text).toContain('[00:00:00.500] Welcome to the house')
  })

  test('the frames of a video are extracted once per workspace, and again for an execution without caching, which stores none', async () => {
    const { id, sha256 } = await service.upload(
      await madeFilm(['One card', 'Another card'], { subtitles }),
      'cards.mp4',
    )
    const seen = async (caching: boolean) => {
      const record = await execute(id, { model: 'svc-agent-1', config: { prompt: 'Count', caching } })
      expect(record.status).toBe('completed')
      return model.requests.at(-1)?.pictures
    }
    const kept = () =>
      service.database.db.query<{ reader: string }>(
        "select reader from readings where sha256 = decode($1, 'hex') and reader like 'pictures-%'",
        [sha256],
      )
    const own = await seen(false)
    expect(own).not.toEqual([])
    expect(await kept()).toEqual([])
    expect(await seen(true)).toEqual(own)
    expect(await kept()).toHaveLength(1)
    expect(await seen(true)).toEqual(own)
    // What is stored is what is shown: without it there are no images.
    await service.database.db.query("update readings set summary = '{\"bytes\": []}' where reader like 'pictures-%'")
    expect(await seen(true)).toEqual([])
  })

  test('speech in audio is transcribed by a provider, once, at its price', async () => {
    const { id } = await service.upload(await madeSound(3, 'A note'), 'note.mp3')
    const order = { type: 'object', properties: { order_number: { type: ['string', 'null'] } } }
    const record = await execute(id, { config: { prompt: 'Extract the order number', json_schema: order } })
    expect([record.error, record.response]).toEqual([null, { order_number: 'PO-7731' }])
    expect(record.evidence['/order_number']).toMatchObject({ status: 'verified', seconds: [0.5, 2] })
    expect(record.usage).toMatchObject({ element_type: 'audio', elements_processed: 1 })
    expect(record.usage.cost_dollars).toBeCloseTo(0.0003, 4)
    expect(hearing.heard).toHaveLength(1)
    const steps = (await service.call('GET', `/v1/agent/executions/${record.id}/steps`)).json
    expect(steps.map((step: { name: string }) => step.name)).toEqual(['audio.transcribe', 'document.read', 'embedded'])
    await execute(id, { config: { prompt: 'Extract the order number', json_schema: order } })
    expect(hearing.heard).toHaveLength(1)
  })

  test('the transcript of an execution without caching is deleted with it', async () => {
    const { id, sha256 } = await service.upload(await madeSound(3, 'For nobody else'), 'own.mp3')
    const record = await execute(id, { config: { ...config, caching: false } })
    expect(record.status).toBe('completed')
    const left = await service.database.db.query("select reader from readings where sha256 = decode($1, 'hex')", [
      sha256,
    ])
    expect(left).toEqual([])
  })

  test('audio without a transcriber is reported in the record by its slot', async () => {
    await using deaf = await openTestService()
    const { id } = await deaf.upload(await madeSound(3, 'A note'), 'note.mp3')
    const inputs = { note: { type: 'input_file', file_id: id } }
    const json = await deaf.execute({ inputs, config })
    expect(json.status).toBe('completed')
    expect(json.usage.message).toContain('inputs.note: Speech was not transcribed: no transcriber is configured')
  })

  test('a model has a part of the audio transcribed by a tool, at its price, as a separate step', async () => {
    const { id } = await service.upload(await madeSound(4, 'A second note'), 'second.mp3')
    turns = [
      { toolCalls: [{ name: 'audio_trim', input: { from_seconds: 0, to_seconds: 2 } }] },
      ({ results }) => {
        const { id: piece } = JSON.parse(results[0] ?? '{}')
        return { toolCalls: [{ name: 'audio_transcribe', input: { audio: piece, from_seconds: 0, to_seconds: 2 } }] }
      },
      ({ results }) => ({ text: results[1] ?? '' }),
    ]
    const record = await execute(id, { model: 'svc-agent-1', config: { prompt: 'What is said?', tools_type: 'video' } })
    turns = []
    expect([record.error, record.response]).toEqual([null, expect.stringContaining('PO-7731')])
    const steps = (await service.call('GET', `/v1/agent/executions/${record.id}/steps`)).json
    const heard = steps.filter((step: { name: string }) => step.name === 'audio.transcribe')
    expect(heard.map(({ detail }: { detail: { input: unknown } }) => typeof detail.input)).toEqual([
      'string',
      'string',
      'object',
    ])
    // Four seconds when it was read, two by the tool, at 0.006 dollars per minute.
    expect(record.usage.standard_cost_dollars).toBeCloseTo(0.0006, 4)
  })

  test('a video of ten hours is sampled in a few places, and one with a false length is transcribed as long as it lasts', async () => {
    const long = await execute((await service.upload(await longFilm(36_000), 'long.mp4')).id, { config })
    expect([long.error, long.response.duration_seconds]).toEqual([null, 36_000])
    const before = hearing.heard.length
    const lying = await execute((await service.upload(await claimingSound(2, 36_000), 'lying.mp4')).id, { config })
    expect([lying.status, lying.error]).toEqual(['completed', null])
    expect(lying.usage.message).toContain('Speech after 3 hours was not transcribed')
    expect(hearing.heard.length - before).toBeLessThanOrEqual(1)
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['noise behind its first bytes', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(5_000, 7)])],
  ])('a video that is %s fails with a message that names its slot', async (_how, spoil) => {
    const { id } = await service.upload(spoil(await madeFilm(['A'])), 'broken.mp4')
    const record = await execute(id, { config })
    expect([record.status, record.error.code]).toEqual(['failed', 'unreadable_media'])
    expect(record.error.message).toMatch(/^inputs\.media: /)
  })
})
