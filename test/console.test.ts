import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { doubleTexts, findFaintTexts, focused, keptEntries, overflow, transferOf } from './support/in-page.mjs'
import { opened } from './support/opened.ts'

const samples = new URL('../samples/', import.meta.url)
const hostile = '<img src=x onerror="document.title=`hacked`">'
/** Reverses the direction of the text after it. */
const turned = '\u202E'

const shown = await opened(openTestConsole())
const { service, browser } = shown

/** A page after the login. */
const openConsole = (path?: string, key?: string) => shown.page(path, key)

/** Drops files on the page. */
async function drop(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }))
  const dataTransfer = await page.evaluateHandle(transferOf, sent)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer })
}

async function executeOnInvoice(): Promise<string> {
  const file = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')
  return (
    await service.execute({
      inputs: { invoice: { type: 'input_file', file_id: file.id } },
      config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
      metadata: { session_id: 'session-7' },
    })
  ).id
}

/** Present on every screen once it has loaded. */
const filled = '.rows li, .run .schema, .beside .page img, .chart canvas, .chips code, .endpoint, .teach'

/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5

describe.skipIf(skipsBrowser)('the console', () => {
  test('a dropped invoice gets an answer whose evidence is highlighted on the page, and the reverse', async () => {
    const page = await openConsole()
    await drop(page, [{ name: 'invoice.pdf', bytes: await readFile(new URL('invoice.pdf', samples)) }])
    await page.getByLabel('Prompt').fill('Extract the fields of this invoice')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await page.getByLabel('JSON Schema').fill(await readFile(new URL('invoice.schema.json', samples), 'utf8'))
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    expect(await page.getByLabel('Name', { exact: true }).count()).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('status').getByText('completed').waitFor()
    await page.locator('.page img').waitFor()
    const field = page.locator('[data-pointer="/invoice_number"]')
    const box = page.locator('[data-box="/invoice_number"]')
    await expect.poll(() => field.textContent()).toContain('KR-2026-0318')
    expect(await field.textContent()).toContain('verified')
    expect(await box.getAttribute('class')).not.toContain('active')
    await field.hover()
    await expect.poll(() => box.getAttribute('class')).toContain('active')
    await page.getByRole('heading', { level: 1 }).hover()
    await expect.poll(() => field.getAttribute('class')).not.toContain('active')
    await box.hover()
    await expect.poll(() => field.getAttribute('class')).toContain('active')
    // The frame is where the words are: within the page, and about as large as a short line.
    const frame = await box.boundingBox()
    const paper = await page.locator('.page img').boundingBox()
    expect((frame?.x ?? 0) > (paper?.x ?? 0) + (paper?.width ?? 0) / 2).toBe(true)
    expect((frame?.height ?? 0) / (paper?.height ?? 1)).toBeLessThan(0.05)
    await page.getByRole('tab', { name: 'Steps' }).click()
    expect(await page.getByRole('region', { name: 'Steps' }).getByRole('listitem').count()).toBe(2)
    // The document stays beside each part of the execution.
    expect(await page.locator('.page img').isVisible()).toBe(true)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('on a phone, where the answer is above the page, a value leads to its box and a box to its value', async () => {
    const page = await openConsole(`/executions/${await executeOnInvoice()}`)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.locator('.page img').waitFor()
    const value = page.locator('[data-pointer="/total"]')
    const box = page.locator('[data-box="/total"]')
    const isSeen = async (one: typeof value) => {
      const { y = -1, height = 0 } = (await one.boundingBox()) ?? {}
      return y >= 0 && y + height <= 700
    }
    expect((await value.boundingBox())?.y).toBeLessThan((await page.locator('.page').boundingBox())?.y ?? 0)
    await page.evaluate('window.scrollTo(0, 0)')
    await value.getByRole('button').click()
    await expect.poll(() => isSeen(box)).toBe(true)
    await expect.poll(() => box.getAttribute('class')).toContain('active')
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await box.click()
    // Touch devices do not hover.
    await page.mouse.move(0, 0)
    await expect.poll(() => isSeen(value)).toBe(true)
    await expect.poll(() => value.getAttribute('class')).toContain('active')
    await value.getByRole('button').focus()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).focus()
    await value.getByRole('button').blur()
    await expect.poll(() => value.getAttribute('class')).not.toContain('active')
    await page.close()
  })

  test('works by keyboard alone: skip link, fields with visible focus, evidence on focus', async () => {
    const page = await openConsole(`/executions/${await executeOnInvoice()}`)
    await page.locator('.page img').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toMatchObject({ text: 'Skip to content' })
    await page.keyboard.press('Enter')
    expect(await page.evaluate(focused)).toMatchObject({ id: 'main' })
    const seen: string[] = []
    for (let presses = 0; presses < 20 && !seen.includes('/total'); presses++) {
      await page.keyboard.press('Tab')
      const { pointer, outline } = await page.evaluate(focused)
      expect(outline).not.toBe('none')
      seen.push(pointer)
    }
    expect(seen).toContain('/total')
    expect(await page.locator('[data-box="/total"]').getAttribute('class')).toContain('active')
    await page.close()
  })

  test('shows the same schema in the form and in the JSON', async () => {
    const page = await openConsole()
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Name', { exact: true }).fill('lines')
    await page.getByLabel('Type of lines').selectOption('Table')
    await page.locator('.inner').getByLabel('Name', { exact: true }).fill('amount')
    await page.getByLabel('Type of amount').selectOption('Number')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const text = page.getByLabel('JSON Schema')
    expect(JSON.parse(await text.inputValue()).properties.lines).toEqual({
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { amount: { type: ['number', 'null'] } },
        required: ['amount'],
        additionalProperties: false,
      },
    })
    await text.fill('{"type":"object","properties":{"due":{"type":"string","format":"date","description":"Last day"}}}')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    expect(await page.getByLabel('Type of due').inputValue()).toBe('date')
    expect(await page.getByLabel('Description of due').inputValue()).toBe('Last day')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    await text.fill('{"type":')
    await page.getByText('This is not valid JSON').waitFor()
    await page.close()
  })

  test('rejects a wrong key, and stores none beyond the tab', async () => {
    const page = await browser.page()
    await page.goto('/executions')
    await page.getByLabel('API key').fill('no-such-key')
    await page.keyboard.press('Enter')
    await page.getByText('The key is not valid').waitFor()
    expect(await page.evaluate(keptEntries)).toEqual([0, 0, 0])
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Executions' }).waitFor()
    expect(await page.evaluate(keptEntries)).toEqual([1, 0, 0])
    await page.close()
  })

  test('asks again with the reason when the key is revoked', async () => {
    const made = (await service.call('POST', '/v1/keys', { body: { name: 'short', scopes: ['read'] } })).json
    const page = await openConsole('/files', made.key)
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await page.goto(new URL('/keys', page.url()).href)
    await page.getByText('needs a key with the scope admin').waitFor()
    await service.call('DELETE', `/v1/keys/${made.id}`)
    await expect
      .poll(
        async () => {
          await page
            .getByRole('link', { name: 'Files' })
            .click({ timeout: 3_000 })
            .catch(() => undefined)
          await page
            .getByRole('link', { name: 'Executions' })
            .click({ timeout: 3_000 })
            .catch(() => undefined)
          return page.getByText('The key is not valid').isVisible()
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    await page.close()
  })

  test('shows hostile names and prompts as text: nothing runs and the policy blocks nothing', async () => {
    const page = await openConsole()
    await drop(page, [{ name: `${turned}${hostile}.pdf`, bytes: await makePdf([[...invoiceLines, hostile]]) }])
    await page.getByLabel('Prompt').fill(`Extract the fields of this invoice ${hostile}`)
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Name', { exact: true }).fill(hostile)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'Request' }).click()
    await page.getByRole('region', { name: 'Request' }).getByText(`invoice ${hostile}`).waitFor()
    await page.goto('/files')
    await page.getByText('onerror').first().waitFor()
    expect(await page.getByRole('list').first().textContent()).toContain('⟨U+202E⟩<img')
    await page.goto(`/executions?session_id=${encodeURIComponent(hostile)}`)
    await page.getByText('No execution matches').waitFor()
    await page.goto(`/executions/${encodeURIComponent(hostile)}`)
    await page.getByText('This workspace has no execution with this id').waitFor()
    expect(await page.title()).not.toContain('hacked')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('filters and pages through executions, and shows new ones automatically', async () => {
    const known = await executeOnInvoice()
    const page = await openConsole('/executions')
    const rows = page.getByRole('list', { name: 'Executions' }).getByRole('listitem')
    await page.locator(`a[href="/executions/${known}"]`).waitFor()
    const made = await executeOnInvoice()
    await page.locator(`a[href="/executions/${made}"]`).waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await expect.poll(() => page.locator('.status.completed').count()).toBe(0)
    await page.getByLabel('Status').selectOption('completed')
    await page.getByText('More filters').click()
    await page.getByLabel('Session').fill('session-7')
    await page.locator(`a[href="/executions/${made}"]`).waitFor()
    await expect.poll(() => new URL(page.url()).search).toContain('session_id=session-7')
    await page.getByLabel('Tier').selectOption('priority')
    await page.getByText('No execution matches').waitFor()
    await page.getByLabel('Tier').selectOption('standard')
    await page.locator(`a[href="/executions/${made}"]`).waitFor()
    await page.getByLabel('From').fill('2099-01-01T00:00')
    await page.getByText('No execution matches').waitFor()
    const body = { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total of this receipt' } }
    await Promise.all(Array.from({ length: 60 }, () => service.call('POST', '/v1/agent/execute', { body })))
    await page.goto('/executions')
    // Only visible rows are rendered; older ones load on scrolling.
    const seen = new Set<string>()
    for (let steps = 0; steps < 300 && !seen.has(`${service.url}/executions/${known}`); steps++) {
      for (const address of await rows.getByRole('link').evaluateAll((links) => links.map(String))) seen.add(address)
      expect(await rows.count()).toBeLessThan(60)
      await page.evaluate('window.scrollBy(0, 300), new Promise((next) => requestAnimationFrame(next))')
    }
    expect(seen.size).toBeGreaterThan(60)
    expect(seen).toContain(`${service.url}/executions/${known}`)
    await page.close()
  })

  test('uploads, previews, runs and deletes files; creates keys, shows them once and revokes them', async () => {
    const page = await openConsole('/files')
    await drop(page, [{ name: 'second-paper.pdf', bytes: await makePdf([['A second paper']]) }])
    const row = page.getByRole('listitem').filter({ hasText: 'second-paper.pdf' })
    await row.locator('img').waitFor()
    await row.getByRole('link', { name: 'Use in a run' }).click()
    await page.getByRole('button', { name: 'Remove second-paper.pdf' }).waitFor()
    await page.getByRole('link', { name: 'Files' }).click()
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('button', { name: 'Delete permanently?' }).click()
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByLabel('Name', { exact: true }).fill('of the test')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('.made-key code').textContent()) ?? ''
    expect((await service.call('GET', '/v1/health', { key })).status).toBe(200)
    const keyRow = page.getByRole('listitem').filter({ hasText: 'of the test' })
    await keyRow.getByRole('button', { name: 'Revoke' }).click()
    await keyRow.getByRole('button', { name: 'Revoke permanently?' }).click()
    await keyRow.getByText('revoked').waitFor()
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('svc-agent-1:auto').waitFor()
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('shows a failure with its message, and can run the same again', async () => {
    const json = await service.execute({
      inputs: { text: 'Total: 5.00' },
      config: { prompt: 'Write a poem about this' },
    })
    const page = await openConsole(`/executions/${json.id}`)
    await page.getByRole('alert').getByText(json.error.message).waitFor()
    await page.getByRole('button', { name: 'Change and run' }).click()
    expect(await page.getByLabel('Prompt').inputValue()).toBe('Write a poem about this')
    await page.goBack()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/executions/') && !url.pathname.endsWith(json.id))
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'in %s colours every text stands out, at 380 pixels and at twice the size of texts nothing is cut off',
    async (colorScheme) => {
      const execution = await executeOnInvoice()
      const page = await openConsole()
      await page.emulateMedia({ colorScheme })
      for (const path of [
        '/',
        '/executions',
        `/executions/${execution}`,
        '/batches',
        `/executions/${execution}?correct=1`,
        '/review',
        '/files',
        '/usage',
        '/keys',
        '/health',
        '/docs/api',
      ]) {
        await page.setViewportSize({ width: 380, height: 800 })
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator(filled).first().waitFor()
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0])
        expect([path, await page.evaluate(findFaintTexts, contrastMin)]).toEqual([path, []])
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.evaluate(doubleTexts)
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0])
      }
      await page.close()
    },
  )

  test('the checks for faint texts, executed scripts and blocked content detect each of them', async () => {
    const page = await openConsole()
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor()
    await page.evaluate(
      `document.querySelector('h1').style.color = '#999'; document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(hostile)})`,
    )
    expect(await page.evaluate(findFaintTexts, contrastMin)).toEqual([expect.stringMatching(/^Run 2\.\d+$/)])
    await expect
      .poll(() => browser.complaints.splice(0))
      .toEqual([expect.stringMatching(/^script-src(-attr)? refused inline$/)])
    await page.close()
  })
})
