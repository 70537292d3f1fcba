import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

async function matching(patterns: string | readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for await (const path of glob(patterns, { cwd: root })) if (!path.includes('node_modules')) found.push(path)
  return found
}

const documents = await matching(['*.md', 'docs/**/*.md', 'packages/**/*.md', 'skills/*.md'])

/** The anchors of a document's headings, as GitHub generates them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** Broken references of a document: links to files and headings, names in files, and paths from the root in backticks. */
async function brokenIn(path: string, text: string): Promise<readonly string[]> {
  const prose = text.replaceAll(/^```[\s\S]*?^```[ \t]*$/gm, '')
  const broken: string[] = []
  for (const [, file = '', anchor] of prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
    if (/^[a-z]+:/.test(file)) continue
    const target = file ? join(root, dirname(path), file) : join(root, path)
    if (!existsSync(target)) broken.push(file)
    else if (anchor && !anchorsOf(file ? await readFile(target, 'utf8') : text).has(anchor))
      broken.push(`${file}#${anchor}`)
  }
  for (const [, named = ''] of prose.matchAll(/`((?:packages|test|bench|docs|deploy|scripts|samples)\/[\w./*-]+)`/g)) {
    if ((await matching(named)).length === 0) broken.push(named)
  }
  for (const [, name = '', file = ''] of prose.matchAll(/`([a-z]\w*)` in \[`[^\]]*`\]\(([^)#\s]+)\)/gi)) {
    const target = join(root, dirname(path), file)
    if (existsSync(target) && !(await readFile(target, 'utf8')).includes(name)) broken.push(`${name} in ${file}`)
  }
  return broken
}

test.each(documents)('every reference in %s exists', async (path) => {
  expect(await brokenIn(path, await readFile(join(root, path), 'utf8'))).toEqual([])
})

describe('the check', () => {
  test('finds broken links to files and headings, missing paths in backticks, and names that a file does not have', async () => {
    const text =
      '# Here\n[a](docs/nowhere.md) [b](#here) [c](#there) [d](docs/GLOSSARY.md#glossary) `bench/nothing.ts`, `scripts` in [`p`](package.json), `x1` in [`p`](package.json)'
    expect(await brokenIn('README.md', text)).toEqual([
      'docs/nowhere.md',
      '#there',
      'bench/nothing.ts',
      'x1 in package.json',
    ])
  })

  test('reads more than twenty documents', () => expect(documents.length).toBeGreaterThan(20))
})
