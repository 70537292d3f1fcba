import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { contents } from '../../site/contents.mjs'
import { describeApi } from './describe-api.ts'
import { describeCommands } from './describe-commands.ts'

const all = contents.flatMap(({ pages }) => pages)

const makers: Readonly<Record<string, (root: string) => string | Promise<string>>> = {
  api: describeApi,
  commands: describeCommands,
}

/** The Markdown files that have a page of their own. */
export const shownFiles: readonly string[] = all.flatMap(({ from, section }) => (from && !section ? [from] : []))

/** The Markdown of every page by its name, and the images of docs/images that they show. */
export async function preparePages(root: string): Promise<{
  readonly pages: ReadonlyMap<string, string>
  readonly images: ReadonlySet<string>
}> {
  const pages = new Map<string, string>()
  const images = new Set<string>()
  for (const { page, title, from, section, made } of all) {
    const text = made ? await makers[made]?.(root) : readFileSync(join(root, from ?? ''), 'utf8')
    if (text === undefined) throw new Error(`site/contents.mjs names ${made}, which nothing makes`)
    const part = section ? `# ${title}\n\n${sectionOf(text, section)}` : text
    pages.set(page, from ? withLinks(part, { root, from, page, images }) : part)
  }
  return { pages, images }
}

function sectionOf(text: string, heading: string): string {
  const [, after] = text.split(`\n## ${heading}\n`)
  if (after === undefined) throw new Error(`There is no section ${heading}`)
  return after.split('\n## ')[0]?.trim() ?? ''
}

/**
 * Leads links between Markdown files to their pages. What the site does not show, such as a source file, becomes its text with its
 * place in the repository.
 */
function withLinks(
  text: string,
  { root, from, page, images }: { root: string; from: string; page: string; images: Set<string> },
): string {
  const up = '../'.repeat(page.split('/').length - 1) || './'
  const blocks = text.split(/(^```[\s\S]*?^```[ \t]*$)/m)
  const linked = (prose: string) =>
    prose.replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, mark, label: string, target: string) => {
      if (/^[a-z]+:|^#/.test(target)) return whole
      const [path = '', anchor] = target.split('#')
      const file = normalize(join(dirname(from), path))
      if (!existsSync(join(root, file))) throw new Error(`${from} links to ${target}, which does not exist`)
      if (mark === '!') {
        images.add(basename(file))
        return `![${label}](/images/${basename(file)})`
      }
      if (file === 'openapi.json') return `[${label}](${up}http-api.md)`
      const shown = all.find((one) => one.from === file && !one.section)
      if (shown) return `[${label}](${up}${shown.page}.md${anchor === undefined ? '' : `#${anchor}`})`
      return label.includes('`') ? label : `${label} (\`${file}\`)`
    })
  return blocks
    .map((block) => (block.startsWith('```') ? plainFence(block) : linked(block).replaceAll('{{', '&#123;{')))
    .join('')
}

/** The words after the language of a code block are for the test that runs it. */
const plainFence = (block: string): string => block.replace(/^```(\w*)[^\n]*/, '```$1')
