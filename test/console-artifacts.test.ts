import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skipsBrowser, type TestBrowser } from './support/browser.ts'
import { openTestConsole, type TestConsole } from './support/console.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import type { TestService } from './support/service.ts'

let shown: TestConsole
let service: TestService
let browser: TestBrowser
let model: Awaited<ReturnType<typeof startMockModel>>

const script = ({ results }: MockRequest) =>
  results.length === 0
    ? { toolCalls: [{ name: 'image_crop', input: { box: [0.5, 0.5, 0.5, 0.5] } }] }
    : { text: '{"made": true}' }

beforeAll(async () => {
  if (skipsBrowser) return
  model = await startMockModel({ script })
  shown = await openTestConsole({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1': 'mine/one' } },
    },
  })
  service = shown.service
  browser = shown.browser
})
afterAll(async () => {
  await shown?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

test.skipIf(skipsBrowser)('the page of a run shows its artifacts, and a model turn with its tokens', async () => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const { id } = await service.upload(picture, 'photo.png')
  const json = await service.execute({
    model: 'svc-agent-1',
    inputs: { photo: { type: 'input_file', file_id: id } },
    config: { prompt: 'Show the corner' },
  })
  const page = await shown.page(`/executions/${json.id}`)
  await page.getByRole('tab', { name: 'Files created (1)' }).click()
  const made = page.getByRole('region', { name: 'Artifacts' })
  const image = made.locator('img')
  await image.waitFor()
  await expect.poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth)).toBe(150)
  await page.getByRole('tab', { name: 'Steps' }).click()
  await page
    .getByRole('region', { name: 'Steps' })
    .getByText(/tokens? in · .* out/)
    .first()
    .waitFor()
  expect(browser.complaints).toEqual([])
  await page.close()
})
