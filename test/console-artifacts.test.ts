import sharp from 'sharp'
import { expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'

const script = ({ results }: MockRequest) =>
  results.length === 0
    ? { toolCalls: [{ name: 'image_crop', input: { box: [0.5, 0.5, 0.5, 0.5] } }] }
    : { text: '{"made": true}' }

const model = await opened(startMockModel({ script }))
const shown = await opened(
  openTestConsole({
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: { routes: { 'svc-agent-1': 'mine/one' } },
    },
  }),
)
const { service, browser } = shown

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
