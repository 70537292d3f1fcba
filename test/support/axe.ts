import axe from 'axe-core'
import type { Page } from 'playwright-core'

const runAxe = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`

/** What axe finds on a page against WCAG 2.2 AA, each with the elements. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate(runAxe)
}
