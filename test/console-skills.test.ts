import { beforeAll, describe, expect, test } from 'vitest'
import { createClient, type Skill } from '../packages/client/src/skillrun.ts'
import { skipsBrowser } from './support/browser.ts'
import { openTestConsole } from './support/console.ts'
import { doubleTexts, findFaintTexts, overflow } from './support/in-page.mjs'
import { opened } from './support/opened.ts'
import { zipOf } from './support/zips.ts'

const hostile = '<img src=x onerror="document.title=`hacked`">'
const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
const bundle = (body: string) => ({
  'SKILL.md': `---\nname: totals\ndescription: Reads totals ${hostile}\nmetadata:\n  task: extract\n---\n# Totals\n\n${body}\n<script>document.title = 'hacked'</script>\n`,
  'schema.json': JSON.stringify(schema),
  'scripts/fetch.py': 'import requests\nrequests.get("https://example.com")\n',
  'references/notes.md': `Notes ${hostile}\n`,
  'assets/seal.bin': new Uint8Array([0xff, 0xfe, 0x00]),
})

const shown = await opened(openTestConsole())
const { service, browser } = shown
let first: Skill
let second: Skill

beforeAll(async () => {
  if (skipsBrowser) return
  const client = createClient({ url: service.url, key: service.key })
  const description = `Reads totals ${hostile}`
  first = await client.skills.create({ name: 'totals', description, folder: bundle('Read the total.') })
  second = await client.skills.create({ name: 'totals', description, folder: bundle('Read the grand total.') })
  for (const mail of [
    'Invoice No: 17\nTotal: EUR 12.50',
    'Invoice No: 18\nTotal: EUR 7.20',
    'Invoice No: 19\nTotal: EUR 83.00',
  ]) {
    const config = { prompt: 'Extract the total', json_schema: schema }
    const known = await client.run({ inputs: { mail }, config })
    await client.skills.addCases(second.id, [{ execution_id: known.id }])
  }
})

const openConsole = (path?: string, key?: string) => shown.page(path, key)

/** WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5

describe.skipIf(skipsBrowser)('the skills of the console', () => {
  test('a skill is found, its bundle displayed, its review followed to the file, and nothing hostile runs', async () => {
    const page = await openConsole('/skills')
    await page.getByLabel('Find').fill('totals')
    await page.getByRole('list', { name: 'Skills' }).getByRole('link').click()
    await page.getByRole('link', { name: 'Bundle' }).click()
    await page.getByText('Read the grand total.').waitFor()
    expect(await page.getByRole('region', { name: 'File SKILL.md' }).textContent()).toContain('<script>')
    const review = page.getByRole('region', { name: 'Review' })
    await review.getByText('network').first().waitFor()
    await review.getByRole('button', { name: 'scripts/fetch.py' }).first().click()
    await page.getByRole('region', { name: 'File scripts/fetch.py' }).getByText('import requests').waitFor()
    await page.getByRole('navigation', { name: 'Files of the bundle' }).getByText('notes.md').click()
    await page.getByText(`Notes ${hostile}`).waitFor()
    expect(await page.title()).not.toContain('hacked')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('two versions are compared, and one is replaced by the other', async () => {
    const page = await openConsole(`/skills/${second.id}?tab=bundle`)
    await page.getByLabel('Compare with').selectOption({ label: `1: ${first.skill_version}` })
    const difference = page.getByRole('region', { name: 'Difference of SKILL.md' })
    expect(await difference.locator('.removed').textContent()).toContain('Read the total.')
    expect(await difference.locator('.added').textContent()).toContain('Read the grand total.')
    expect(await page.getByRole('region', { name: /^Difference of/ }).count()).toBe(1)
    await page.getByRole('combobox', { name: 'Version' }).selectOption({ label: `1: ${first.skill_version}` })
    await page.waitForURL(`${service.url}/skills/${first.id}`)
    await page.close()
  })

  test('cases are added and inspected, and an evaluation is run and its report read field by field', async () => {
    const page = await openConsole(`/skills/${second.id}?tab=cases`)
    const rows = page.getByRole('list', { name: 'Test cases' }).getByRole('listitem')
    await rows.first().locator('summary').click()
    await rows.first().getByText('"total": 12.5').waitFor()
    await page.getByLabel('Execution with a correct answer').fill('no-such-execution')
    await page.getByRole('button', { name: 'Add as a test case' }).click()
    await page.locator('.problem').waitFor()
    await page.getByRole('link', { name: 'Evaluations' }).click()
    // An evaluation costs something: a double click begins one.
    await page.getByRole('button', { name: 'Evaluate this version' }).dblclick()
    const report = page.getByRole('region', { name: 'Evaluation of version 2' })
    await report.getByText('completed').waitFor()
    expect((await service.call('GET', `/v1/skills/${second.id}/evaluations`)).json).toHaveLength(1)
    expect(await report.getByRole('row').last().textContent()).toBe('Total100.0 %100.0 %100.0 %')
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('a skill is selected for a run, and the execution shows which version ran', async () => {
    const page = await openConsole('/')
    await page.getByLabel('Skills').selectOption({ label: 'totals' })
    await page.getByText('Paste text instead').click()
    await page.getByLabel('Text', { exact: true }).fill('Total: EUR 7.25')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('[data-pointer="/total"]').getByText('7.25').waitFor()
    await page.getByRole('link', { name: 'totals', exact: true }).click()
    await page.waitForURL(`${service.url}/skills/${second.id}`)
    await page.close()
  })

  test("a program is compiled on the page, which shows its gate's findings and its cost", async () => {
    const page = await openConsole(`/skills/${second.id}?tab=programs`)
    await page.getByRole('button', { name: 'Compile from the test cases' }).dblclick()
    const program = page.getByRole('region', { name: /^Program / })
    await program.getByText('ready', { exact: true }).waitFor()
    await program.getByText(/^Gate: \d of \d checks/).waitFor()
    await program.getByText('Source (typescript)').click()
    expect(await program.locator('pre').first().textContent()).toContain('export default async function run')
    expect(await program.textContent()).toContain('Error rate at most')
    expect((await service.call('GET', `/v1/skills/${second.id}/programs`)).json).toHaveLength(1)
    expect(browser.complaints).toEqual([])
    await page.close()
  })

  test('a dropped bundle keeps the name and description of its SKILL.md', async () => {
    const page = await openConsole('/skills/new')
    const zip = zipOf({
      'due-dates/SKILL.md': '---\nname: due-dates\ndescription: "Reads due dates: all"\n---\nRead them.\n',
    })
    await page.locator('#skill-chooser').setInputFiles({ name: 'bundle.zip', mimeType: 'application/zip', buffer: zip })
    await page.getByRole('heading', { name: 'due-dates', level: 1 }).waitFor()
    await page.getByText('Reads due dates: all', { exact: true }).waitFor()
    await page.close()
  })

  test('a skill is written on the page', async () => {
    const page = await openConsole('/skills/new')
    await page.getByLabel(/^Name/).fill('written-here')
    await page.getByLabel('Instructions').fill('Read the due date.')
    await page.getByRole('button', { name: 'Create skill' }).click()
    await page.getByRole('heading', { name: 'written-here', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Bundle' }).click()
    await page.getByRole('region', { name: 'File SKILL.md' }).getByText('Read the due date.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete this version?' }).click()
    await page.waitForURL(`${service.url}/skills`)
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'in %s colours every text stands out and nothing is cut off',
    async (colorScheme) => {
      const page = await openConsole('/skills')
      await page.emulateMedia({ colorScheme })
      const tabs = ['overview', 'bundle', 'cases', 'evaluations', 'programs'].map(
        (tab) => `/skills/${second.id}?tab=${tab}`,
      )
      for (const path of ['/skills', '/skills/new', ...tabs]) {
        await page.setViewportSize({ width: 380, height: 800 })
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0])
        expect([path, await page.evaluate(findFaintTexts, contrastMin)]).toEqual([path, []])
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.evaluate(doubleTexts)
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0])
      }
      await page.close()
    },
  )
})
