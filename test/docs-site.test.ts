import { existsSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawConcepts } from '../scripts/docs/concept-pictures.ts'
import { preparePages, shownFiles } from '../scripts/docs/pages.ts'
import { openBrowser, skipsBrowser } from './support/browser.ts'
import { openTestService, type TestService } from './support/service.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'site', 'dist')

/** Where `npm run docs` could run, a test that needs its result may not skip itself. */
const isSkipped = !existsSync(built) && process.env['REQUIRE_SITE'] !== '1'
if (isSkipped) console.log('Tests of the built documentation are skipped: run npm run docs.')

const { pages, images } = await preparePages(root)

test('every guide and every document of docs/ is a page of the site', async () => {
  const documents: string[] = []
  for await (const path of glob(['docs/*.md', 'docs/guides/*.md'], { cwd: root })) documents.push(path)
  expect(documents.length).toBeGreaterThan(25)
  expect(documents.filter((path) => !shownFiles.includes(path))).toEqual([])
})

test('links of the site lead to pages and images that it has', () => {
  const broken: string[] = []
  for (const [page, text] of pages) {
    const prose = text.replaceAll(/^```[\s\S]*?^```[ \t]*$/gm, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:|^#/.test(target)) continue
      const [path = ''] = target.split('#')
      const known = path.startsWith('/images/')
        ? images.has(path.slice('/images/'.length))
        : pages.has(normalize(join(dirname(page), path)).replace(/\.md$/, ''))
      if (!known) broken.push(`${page}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test('the reference has every route of openapi.json, and every command with its options', async () => {
  const { paths } = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
  const api = pages.get('http-api') ?? ''
  for (const [path, methods] of Object.entries<object>(paths))
    for (const method of Object.keys(methods))
      expect(api).toContain(`### ${method.toUpperCase()} ${path.replaceAll('{', '&#123;')}\n`)
  const commands = pages.get('command-line') ?? ''
  for (const part of ['## skillrun execute', '## skillrun backup verify', '--schema <', '--max-cost'])
    expect(commands).toContain(part)
})

test('the pictures of the concepts are those that the script draws', async () => {
  const concepts = pages.get('concepts') ?? ''
  for (const [name, svg] of drawConcepts()) {
    expect(await readFile(join(root, 'docs', 'images', name), 'utf8')).toBe(svg)
    expect(concepts).toContain(`/images/${name}`)
  }
})

test('every concept has one picture', () => {
  const [, ...concepts] = (pages.get('concepts') ?? '').split(/^## /m)
  expect(concepts.length).toBeGreaterThan(4)
  for (const concept of concepts)
    expect([concept.split('\n')[0], concept.match(/!\[/g)?.length]).toEqual([expect.any(String), 1])
})

test('the site has what a reader looks for', () => {
  const wanted = [
    'index',
    'concepts',
    'comparison',
    'guides/skills',
    'guides/operations',
    'security',
    'troubleshooting',
  ]
  const reference = ['http-api', 'command-line', 'configuration', 'errors', 'glossary']
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...wanted, ...reference]))
})

describe.skipIf(isSkipped)('the server shows the built documentation', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const get = (path: string) => fetch(`${service.url}${path}`)

  test('at /docs without a key, and everything that its pages load or link to within it', async () => {
    const home = await get('/docs')
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const asked = new Set<string>()
    for (const name of await readdir(built, { recursive: true })) {
      if (!name.endsWith('.html') || name === '404.html') continue
      const html = await readFile(join(built, name), 'utf8')
      for (const [, path = ''] of html.matchAll(/ (?:src|href)="(\/docs[^"#]*)/g)) asked.add(path)
    }
    expect(asked.size).toBeGreaterThan(60)
    for (const path of asked) expect([path, (await get(path)).status]).toEqual([path, 200])
    expect((await get('/docs/guides/nowhere')).status).toBe(404)
    expect((await get('/docs/..%2fpackage.json')).status).toBe(404)
  })

  test.skipIf(skipsBrowser)(
    'in a browser under the policy of the server: pages, pictures, and a search that asks no other host',
    async () => {
      await using browser = await openBrowser({ baseURL: service.url, viewport: { width: 1280, height: 900 } })
      const page = await browser.page()
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto('/docs')
      await page.getByRole('heading', { level: 1, name: 'Skillrun' }).waitFor()
      await page.getByRole('link', { name: 'Concepts', exact: true }).first().click()
      const picture = page.getByAltText('A request enters a queue, a worker runs it, and a record comes back')
      await picture.waitFor()
      await expect.poll(() => page.evaluate(`document.querySelector('main img').naturalWidth`)).toBeGreaterThan(500)
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search').fill('commit_unknown')
      await page.locator('.result', { hasText: 'Database' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/docs/errors.html')
      expect([...hosts]).toEqual([new URL(service.url).host])
      expect(browser.complaints).toEqual([])
    },
  )
})
