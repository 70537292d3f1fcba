import { beforeAll, describe, expect, test } from 'vitest'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { opened } from './support/opened.ts'

const shown = await opened(openTestConsole())
let execution: string

beforeAll(async () => {
  if (skipsBrowser) return
  const json = await shown.service.execute({
    inputs: { mail: 'Total: EUR 12.50' },
    config: {
      prompt: 'Extract the total',
      json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } },
    },
  })
  expect(json).toMatchObject({ status: 'completed' })
  execution = json.id
})

/** The execution as a key with these scopes sees it. What may not be done goes as soon as the server has told it. */
async function openFor(scopes: readonly string[]) {
  const { json } = await shown.service.call('POST', '/v1/keys', { body: { name: scopes.join(' '), scopes } })
  const page = await shown.page(`/executions/${execution}`, json.key)
  const textsOf = (selector: string) => expect.poll(() => page.locator(selector).allInnerTexts())
  return { page, acts: textsOf('.head .acts > :is(a, button)'), screens: textsOf('nav[aria-label="Screens"] a') }
}

describe.skipIf(skipsBrowser)('the console offers', { timeout: 60_000 }, () => {
  test('an admin everything', async () => {
    const { page, acts, screens } = await openFor(['admin'])
    await acts.toEqual(['Correct', 'Create skill', 'Run again', 'Change and run'])
    await screens.toEqual(expect.arrayContaining(['Run', 'Chat', 'Keys', 'Users', 'Audit log']))
    await page.close()
  })

  test('a reviewer corrections, but no execution', async () => {
    const { page, acts, screens } = await openFor(['read', 'review', 'approve'])
    await acts.toEqual(['Correct'])
    await screens.not.toContain('Run')
    await page.close()
  })

  test('a viewer what can be looked at, and says why nothing can be run', async () => {
    const { page, acts, screens } = await openFor(['read'])
    await acts.toEqual([])
    await screens.toEqual([
      ...['Executions', 'Batches', 'Review', 'Files', 'Sessions', 'Skills', 'Agents', 'Tools'],
      ...['Queues', 'Usage', 'Settings', 'Health'],
    ])
    await page.goto(new URL('/', page.url()).href)
    await page.getByText('You may look at executions, but not run them.').waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
    await page.goto(new URL('/skills', page.url()).href)
    await page.getByRole('heading', { name: 'Skills', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'New skill' }).count()).toBe(0)
    expect(shown.browser.complaints).toEqual([])
    await page.close()
  })
})
