import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { createClient } from '../packages/client/src/skillrun.ts'
import { systemClock } from '../packages/core/src/clock.ts'
import { keepArtifact } from '../packages/server/src/features/artifacts/artifacts.ts'
import { purgeExecutions } from '../packages/server/src/features/retention/purge.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'

let photo: string

/** Crops the image, draws a chart, and answers with the artifacts. */
const script = ({ results, tools, text }: MockRequest) => {
  if (text.includes('Write a table') && results.length === 0)
    return { toolCalls: [{ name: 'core_write', input: { filename: 'rows.csv', text: 'a,b\n1,2\n' } }] }
  if (text.includes('Write a table'))
    return { text: JSON.stringify({ made: { id: /txt_[0-9a-f]{6}/.exec(results.join())?.[0] ?? results.join() } }) }
  if (text.includes('Invent')) return { text: JSON.stringify({ made: [{ id: 'img_0a0b0c' }] }) }
  if (results.length === 0)
    return {
      toolCalls: [
        { name: 'image_crop', input: { box: [0.5, 0.5, 0.5, 0.5] } },
        ...(tools.includes('viz_chart')
          ? [{ name: 'viz_chart', input: { type: 'pie', labels: ['a', 'b'], series: [{ values: [1, 2] }] } }]
          : []),
      ],
    }
  const ids = results.flatMap((text) => /img_[0-9a-f]{6}/.exec(text) ?? [])
  return { text: JSON.stringify({ made: ids.map((id) => ({ id })) }) }
}

const model = await opened(startMockModel({ script }))
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1': 'mine/one' } },
    },
  }),
)
beforeEach(async () => {
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: '#00ff00' } })
  photo = (await service.upload(await picture.png().toBuffer(), 'photo.png')).id
})

const execute = (more: object = {}, config: object = {}) =>
  service.execute({
    model: 'svc-agent-1',
    inputs: { photo: { type: 'input_file', file_id: photo } },
    config: { prompt: 'Show the corner', ...config },
    ...more,
  })

/** The raw bytes of a response. */
async function bytesOf(query: string, key = service.key) {
  const response = await fetch(`${service.url}/v1/artifacts?${query}`, { headers: { Authorization: `Bearer ${key}` } })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test('artifacts of tools are stored with the execution and its session, listed, and served unchanged', async () => {
  const record = await execute({ metadata: { session_id: 'sitting-7' } }, { tools_type: 'multimodal' })
  expect(record.error).toBeNull()
  const { made } = JSON.parse(record.response)
  expect(made).toHaveLength(2)
  const { json } = await service.call('GET', `/v1/artifacts/list?execution_id=${record.id}`)
  expect(json).toMatchObject({ namespace_id: record.id, items: [{ source: 'store' }, { source: 'store' }] })
  expect(json.items.map((item: { object_id: string }) => item.object_id).sort()).toEqual(
    made.map((one: { id: string }) => one.id).sort(),
  )
  expect((await service.call('GET', '/v1/artifacts/list?session_id=sitting-7')).json.items).toEqual(json.items)
  const crop = await bytesOf(`filename=crop.png&session_id=sitting-7`)
  expect([crop.status, crop.type]).toEqual([200, 'image/png'])
  expect(await sharp(crop.bytes).metadata()).toMatchObject({ width: 150, height: 100 })
  expect((await bytesOf(`object_id=${made[1].id}&execution_id=${record.id}`)).status).toBe(200)
})

test('artifacts count against the storage quota until they are purged', async () => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const open = (room: number) =>
    openTestService({
      config: {
        providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
        file: {
          routes: { 'svc-agent-1': 'mine/one' },
          limits: { storage_bytes_per_workspace: picture.length + room },
        },
      },
    })
  const runIn = async (small: TestService, more: object) => {
    const { id } = await small.upload(picture, 'photo.png')
    const inputs = { photo: { type: 'input_file', file_id: id } }
    const record = await small.execute({ model: 'svc-agent-1', inputs, config: { prompt: 'Show the corner' }, ...more })
    const { json } = await small.call('GET', `/v1/artifacts/list?execution_id=${record.id}`)
    return { record, items: json.items as { bytes: number }[] }
  }
  const held = async (small: TestService) =>
    (await small.database.db.query<{ bytes: number }>('select bytes from storage'))[0]?.bytes
  {
    await using full = await open(10)
    const { record, items } = await runIn(full, {})
    expect(items).toEqual([])
    const { json: steps } = await full.call('GET', `/v1/agent/executions/${record.id}/steps`)
    expect(JSON.stringify(steps)).toContain('bytes; delete files first')
    expect(await held(full)).toBe(picture.length)
  }
  await using roomy = await open(100_000)
  const { items } = await runIn(roomy, {})
  expect(items).toHaveLength(1)
  expect(await held(roomy)).toBe(picture.length + (items[0]?.bytes ?? 0))
  await purgeExecutions(
    { db: roomy.database.db, forgetMore: async () => undefined },
    { now: new Date(), olderThan: new Date(Date.now() + 60_000) },
  )
  expect(await held(roomy)).toBe(picture.length)
})

test('a run that a crash repeats finds its last artifact, also where no other one may follow', async () => {
  const { id: executionId } = await service.execute({ inputs: { text: 'Total: 5' }, config: { prompt: 'Invent' } })
  const { db } = service.database
  const [row] = await db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from executions where id = $1',
    [executionId],
  )
  const of = { workspaceId: row?.workspaceId ?? '', executionId, sessionId: null }
  const keep = (n: number) =>
    keepArtifact({ db, clock: systemClock }, of, {
      kind: 'txt',
      filename: `${n}.txt`,
      contentType: 'text/plain',
      bytes: Buffer.from(String(n)),
    })
  const made: string[] = []
  for (let n = 1; n <= 100; n += 1) made.push(await keep(n))
  await expect(keep(101)).rejects.toMatchObject({ code: 'too_many_artifacts' })
  expect(await keep(100)).toBe(made.at(-1))
  const { json } = await service.call('GET', `/v1/artifacts/list?execution_id=${executionId}&limit=1000`)
  expect(json.items).toHaveLength(100)
})

/** The artifact types that public clients know: these prefixes are compared exactly, others are accepted as they are. */
const checkedByClients: Readonly<Record<string, readonly string[]>> = {
  img: ['image/jpeg', 'image/png'],
  vid: ['video/mp4'],
  aud: ['audio/mpeg'],
  doc: ['application/pdf'],
  recon: ['application/octet-stream'],
}

test('a text artifact has an id and a type that public clients accept', async () => {
  const record = await execute({}, { prompt: 'Write a table', tool_names: ['core.write'] })
  const { made } = JSON.parse(record.response)
  expect(made.id).toMatch(/^txt_[0-9a-f]{6}$/)
  const text = await bytesOf(`object_id=${made.id}&execution_id=${record.id}`)
  expect([text.status, text.type, text.bytes.toString()]).toEqual([200, 'text/csv', 'a,b\n1,2\n'])
  const [prefix = '', digits = ''] = made.id.split('_')
  expect(digits).toHaveLength(6)
  expect(checkedByClients[prefix]?.includes(text.type ?? '') ?? true).toBe(true)
})

test('the typed client lists and downloads artifacts', async () => {
  const client = createClient({ url: service.url, key: service.key })
  const { id } = await execute()
  const { items } = await client.artifacts.list({ execution_id: id })
  expect(items.map((item) => item.filename)).toContain('crop.png')
  const crop = await client.artifacts.content({ execution_id: id, filename: 'crop.png' })
  expect(await sharp(await crop.arrayBuffer()).metadata()).toMatchObject({ width: 150, height: 100 })
  await expect(client.artifacts.content({ execution_id: id, object_id: 'img_000000' })).rejects.toMatchObject({
    status: 404,
  })
})

test('an artifact of another workspace or execution is not found', async () => {
  const record = await execute()
  const [{ id }] = JSON.parse(record.response).made
  const stranger = await service.stranger()
  const other = await execute()
  expect((await bytesOf(`object_id=${id}&execution_id=${record.id}`, stranger)).status).toBe(404)
  expect((await bytesOf(`object_id=${id}&execution_id=${other.id}`)).status).toBe(404)
  const nobody = '11111111-1111-4111-8111-111111111111'
  for (const [execution, key] of [[record.id, stranger], [nobody], ['nonsense']] as const)
    expect(
      await service.call('GET', `/v1/artifacts/list?execution_id=${execution}`, key === undefined ? {} : { key }),
    ).toMatchObject({ status: 404, json: { detail: 'This workspace has no execution with this id' } })
  expect(await service.call('GET', '/v1/artifacts/list?session_id=unknown')).toMatchObject({
    status: 404,
    json: { detail: 'No execution of this workspace has this session_id' },
  })
  await execute({ metadata: { session_id: 'quiet' }, model: 'svc-agent-1' }, { prompt: 'Invent' })
  const quiet = await service.call('GET', '/v1/artifacts/list?session_id=quiet')
  expect(quiet).toMatchObject({ status: 200, json: { items: [] } })
  expect((await service.call('GET', '/v1/artifacts/list?session_id=quiet', { key: stranger })).status).toBe(404)
  for (const query of ['', `object_id=${id}`, `object_id=${id}&filename=a&execution_id=${record.id}`])
    expect((await bytesOf(query)).status).toBe(422)
})

test('a reference to an artifact is its own evidence; a reference to nothing is unsupported', async () => {
  const schema = { type: 'object', properties: { made: { type: 'array', items: { type: 'object' } } } }
  const { response, evidence, usage } = await execute({}, { json_schema: schema, tool_names: ['image.crop'] })
  expect(evidence).toEqual({
    '/made/0/id': { status: 'derived', confidence: 1, note: 'Created by a tool in this run.' },
  })
  expect([response.made.length, usage.message]).toEqual([1, null])
  const invented = await execute({}, { json_schema: schema, tool_names: ['image.crop'], prompt: 'Invent one' })
  expect(invented.evidence['/made/0/id'].status).toBe('unsupported')
})

test('with allow_retention false it is deleted when the execution has ended', async () => {
  const record = await execute({ metadata: { allow_retention: false } })
  expect(record.status).toBe('completed')
  expect((await service.call('GET', `/v1/artifacts/list?execution_id=${record.id}`)).json.items).toEqual([])
})

test('without a selection, the tools are those that suit the inputs', async () => {
  await execute()
  const tools = model.requests.at(-1)?.tools ?? []
  expect(tools).toContain('image_crop')
  expect(tools).toContain('document_read')
  expect(tools.filter((name) => /^(video|audio|viz)_/.test(name))).toEqual([])
})
