import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MockRequest, type MockTurn, startMockModel } from '../bench/mock-model.ts'
import { openTestHouse } from './support/house.ts'

/** A server that makes the same picture of whatever it is asked for, as OpenAI's does. */
const asked: { model: string; prompt: string }[] = []
let picture = Buffer.alloc(0)
const painter = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    asked.push(JSON.parse(Buffer.concat(parts).toString()))
    // https://platform.openai.com/docs/api-reference/images/object
    const body = { created: 1_800_000_000, data: [{ b64_json: picture.toString('base64') }] }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
})
const script = ({ results }: MockRequest): MockTurn =>
  results.length === 0
    ? { toolCalls: [{ name: 'image_generate', input: { prompt: 'A red teapot', size: '1024x1024' } }] }
    : { text: results.join('') }
const model = await startMockModel({ script })
let painterUrl = ''
beforeAll(async () => {
  const plain = { create: { width: 64, height: 64, channels: 3 as const, background: '#ff0000' } }
  picture = await sharp(plain).png().toBuffer()
  await new Promise<void>((resolve) => painter.listen(0, '127.0.0.1', resolve))
  painterUrl = `http://127.0.0.1:${(painter.address() as AddressInfo).port}/v1`
})
afterAll(async () => {
  await model[Symbol.asyncDispose]()
  painter.close()
})

const openHouse = (isPainting: boolean) =>
  openTestHouse({
    config: {
      providers: [
        { name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl },
        { name: 'painter', kind: 'openai-compatible', baseUrl: painterUrl },
      ],
      file: {
        routes: { 'svc-agent-1': 'mine/one' },
        prices: { tools: { 'image.generate': 0.04 } },
        ...(isPainting ? { image_generation: { model: 'painter/brush-1' } } : {}),
      },
    },
  })
const body = { batch: false, model: 'svc-agent-1', toolsets: ['image-gen'], config: { prompt: 'Show a teapot' } }

test('a picture is made by the provider of the configuration, kept as an artifact, and priced', async () => {
  await using house = await openHouse(true)
  const { json } = await house.call('POST', '/v1/agent/execute', { body })
  expect([json.status, json.error]).toEqual(['completed', null])
  expect(asked).toMatchObject([{ model: 'brush-1', prompt: 'A red teapot' }])
  expect(json.usage.standard_cost_dollars).toBeCloseTo(0.04, 6)
  const { id } = JSON.parse(JSON.parse(json.response)) as { id: string }
  const { json: list } = await house.call('GET', `/v1/artifacts/list?execution_id=${json.id}`)
  expect(JSON.stringify(list)).toContain(id)
  expect(JSON.stringify(list)).toContain('image/png')
})

test.each([
  ['WebP', () => sharp(picture).webp().toBuffer(), 'image/png'],
  ['JPEG', () => sharp(picture).jpeg().toBuffer(), 'image/jpeg'],
])('a picture that comes as %s is kept as a kind that clients take', async (_kind, made, contentType) => {
  const png = picture
  picture = await made()
  try {
    await using house = await openHouse(true)
    const { json } = await house.call('POST', '/v1/agent/execute', { body })
    const { json: list } = await house.call('GET', `/v1/artifacts/list?execution_id=${json.id}`)
    expect(list.items).toMatchObject([{ object_id: expect.stringMatching(/^img_/), content_type: contentType }])
  } finally {
    picture = png
  }
})

test('what is no picture is told to the model as the provider’s failure', async () => {
  const png = picture
  picture = Buffer.from('RIFF, but no picture')
  try {
    await using house = await openHouse(true)
    const { json } = await house.call('POST', '/v1/agent/execute', { body })
    expect(json.response).toContain('a file that is not a readable image')
  } finally {
    picture = png
  }
})

test('where nobody makes pictures the model is told so, and a run that does not ask for it has no such tool', async () => {
  await using house = await openHouse(false)
  const { json } = await house.call('POST', '/v1/agent/execute', { body })
  expect(json.response).toContain('image_generation')
  expect(json.usage.standard_cost_dollars).toBe(0)
  await house.call('POST', '/v1/agent/execute', { body: { ...body, toolsets: undefined } })
  expect(model.requests.at(-1)?.tools).not.toContain('image_generate')
})
