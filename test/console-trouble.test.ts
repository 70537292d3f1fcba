import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { openHeldSource } from './support/held-source.ts'
import { transferOf } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const source = await opened(openHeldSource('Total: EUR 12.50'))
const shown = await opened(openTestConsole({ env: { SKILLRUN_ALLOW_PRIVATE: source.host } }))
const { service, browser } = shown

const openConsole = (path?: string, key?: string) => shown.page(path, key)

const away = 'The server does not respond'

describe.skipIf(skipsBrowser)('the console with failures', () => {
  test('shows when the server is unreachable, and continues when it is back', async () => {
    const body = { inputs: { file: source.url('held') }, config: { prompt: 'Extract the total' } }
    const { json } = await service.call('POST', '/v1/agent/execute', { body })
    await source.asked('held')
    const page = await openConsole(`/executions/${json.id}`)
    await page.getByRole('status').getByText('running', { exact: true }).waitFor()
    await page.route('**/v1/**', (request) => request.abort())
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(away).first().waitFor()
    await page.unroute('**/v1/**')
    source.letGo('held')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page
      .getByRole('status')
      .getByText(/paused|completed/)
      .waitFor()
    await expect.poll(() => page.getByText(away).count()).toBe(0)
    await page.close()
  })

  test('resumes executions with retryable failures one by one, and all at once', async () => {
    const inputs = { note: { type: 'text', text: 'Total: EUR 12.50' } }
    const json_schema = { type: 'object', properties: { total: { type: 'number' } } }
    const made = async () =>
      (await service.execute({ batch: false, inputs, config: { prompt: 'Extract the total', json_schema } }))
        .id as string
    const ids = [await made(), await made(), await made()]
    await service.database.db.query(
      `update executions set status = 'failed', response = null,
         error = '{"code": "provider_failed", "message": "The provider was away", "retryable": true}' where id = any($1)`,
      [ids],
    )
    const page = await openConsole(`/executions/${ids[0]}`)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('status').getByText('completed').waitFor()
    await page.goto(new URL('/executions?status=failed', page.url()).href)
    await page.getByRole('button', { name: 'Resume failed and paused' }).click()
    await page.getByRole('button', { name: 'Resume all executions that match these filters?' }).click()
    await page.getByText('2 resumed').waitFor()
    await page.close()
  })

  test('fills a screen by itself when the server is back', async () => {
    await service.upload(Buffer.from('Total: 5.00'), 'kept.txt')
    const page = await openConsole('/health')
    await page.route('**/v1/files?*', (request) => request.abort())
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByText(away).waitFor()
    await page.unroute('**/v1/files?*')
    await page.getByText('kept.txt').waitFor()
    expect(await page.getByText(away).count()).toBe(0)
    await page.close()
  })

  test('a server that answers 503 for a while is asked again', async () => {
    const page = await openConsole('/health')
    let refused = 0
    await page.route(
      '**/v1/files?*',
      (request) => {
        refused += 1
        return request.fulfill({ status: 503, json: { detail: 'The database restarts' } })
      },
      { times: 1 },
    )
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByText('kept.txt').waitFor()
    expect(refused).toBe(1)
    await page.close()
  })

  test('reports an aborted upload, keeps the others, and completes it on retry', async () => {
    const page = await openConsole('/')
    const sent = ['one.txt', 'two.txt'].map((name) => ({
      name,
      base64: Buffer.from('Total: EUR 7.25').toString('base64'),
    }))
    const dataTransfer = await page.evaluateHandle(transferOf, sent)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
    await page.getByRole('radio', { name: 'One run for all files' }).check()
    await page.getByLabel('Prompt').fill('Extract the total')
    await page.route('**/v1/files', (route) =>
      route.request().postDataBuffer()?.includes('two.txt') ? route.abort('connectionreset') : route.continue(),
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The upload was interrupted').waitFor()
    await page.getByText('uploaded').waitFor()
    await page.unroute('**/v1/files')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/executions/'))
    await page.getByRole('status').getByText('completed').waitFor()
    await page.close()
  })

  test('refuses a pasted schema of 50 MB with a message, and stays responsive', async () => {
    const page = await openConsole('/')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const field = page.getByLabel('JSON Schema')
    await field.evaluate(pasteMuch, 50_000_000)
    await page.getByText('at most 1 MiB').waitFor()
    await field.fill('{"type":"object","properties":{"due":{"type":"string"}}}')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.getByLabel('Type of due').waitFor()
    await page.close()
  })

  test('asks for a new key when one expires, and restores the open screen', async () => {
    const made = (await service.call('POST', '/v1/keys', { body: { name: 'brief', scopes: ['read'] } })).json
    const page = await browser.page()
    await page.goto('/files')
    await page.getByLabel('API key').fill(made.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await service.database.db.query('update keys set expires_at = created_at where id = $1', [made.id])
    await expect
      .poll(
        async () => {
          // Each screen sends a new request.
          for (const name of ['Files', 'Executions']) {
            const link = page.getByRole('link', { name, exact: true })
            await link.click({ timeout: 1_000 }).catch(() => undefined)
          }
          return page.getByText(/expired|not valid/).count()
        },
        { timeout: 15_000 },
      )
      .toBeGreaterThan(0)
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^(Executions|Files)$/ }).waitFor()
    await page.close()
  })
})

/** Pastes into a text field without the clipboard. */
const pasteMuch = (element: unknown, characters: number): void => {
  const field = element as { value: string; dispatchEvent: (event: Event) => void }
  field.value = `{"description":"${'x'.repeat(characters)}"}`
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
