import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MockRequest, startMockModel } from '../bench/mock-model.ts'
import { ensureConsole } from '../scripts/console.mjs'
import { openBrowser, skipsBrowser, type TestBrowser } from './house/browser.ts'
import { openTestHouse, type TestHouse } from './house/house.ts'

let house: TestHouse
let browser: TestBrowser
let model: Awaited<ReturnType<typeof startMockModel>>

const script = ({ results }: MockRequest) =>
  results.length === 0
    ? { toolCalls: [{ name: 'image_crop', input: { box: [0.5, 0.5, 0.5, 0.5] } }] }
    : { text: '{"made": true}' }

beforeAll(async () => {
  if (skipsBrowser) return
  ensureConsole()
  model = await startMockModel({ script })
  house = await openTestHouse({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1': 'mine/one' } },
    },
  })
  browser = await openBrowser({ baseURL: house.url, viewport: { width: 1280, height: 900 } })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await house?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

test.skipIf(skipsBrowser)('what a run made is shown on its page, and a turn of a model with its tokens', async () => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const { id } = await house.upload(picture, 'photo.png')
  const { json } = await house.call('POST', '/v1/agent/execute', {
    body: {
      batch: false,
      model: 'svc-agent-1',
      inputs: { photo: { type: 'input_file', file_id: id } },
      config: { prompt: 'Show the corner' },
    },
  })
  const page = await browser.page()
  await page.goto(`/executions/${json.id}`)
  await page.getByLabel('API key').fill(house.key)
  await page.keyboard.press('Enter')
  const made = page.getByRole('region', { name: 'Artifacts' })
  const image = made.locator('img')
  await image.waitFor()
  await expect.poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth)).toBe(150)
  await page
    .getByRole('region', { name: 'Steps' })
    .getByText(/tokens? in · .* out/)
    .first()
    .waitFor()
  expect(browser.complaints).toEqual([])
  await page.close()
})
