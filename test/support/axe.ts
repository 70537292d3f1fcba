import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Only html is read of an element, and nothing of those without a violation. */
const bounds = { resultTypes: ['violations'], selectors: false }

/** What axe finds on a page against WCAG 2.2 AA, each with the elements; without some of its rules, if they are named. */
export async function violations(page: Page, without: readonly string[] = []): Promise<unknown> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const options = { ...bounds, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], rules }
  await page.evaluate(axe.source)
  return page.evaluate(`axe.run(${JSON.stringify(options)})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
}
