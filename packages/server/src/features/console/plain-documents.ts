import { dirname, normalize } from 'node:path/posix'
import { escapeHtml } from '../../adapters/http/page.ts'
import { madePage, type Pages, readPages } from './pages.ts'

const intro =
  'These are the documents as they are in the checkout. "npm run docs" makes the site of them, with search and a menu, which the server shows after its next start; the reference of the API is at '

/** The Markdown files of a checkout as readable pages, where no site was built of them; empty without such a folder. */
export async function readPlainDocuments(folder: string): Promise<Pages> {
  const files = await readPages(folder)
  const texts = [...files].filter(([name]) => name.endsWith('.md'))
  if (texts.length === 0) return files
  const titled = texts.map(([name, { bytes }]) => {
    const text = bytes.identity.toString()
    return { name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name }
  })
  const links = titled
    .toSorted((left, right) => depthOf(left.name) - depthOf(right.name) || (left.name < right.name ? -1 : 1))
    .map(({ name, title }) => `<li><a href="/docs/${name}">${escapeHtml(title)}</a></li>`)
  const home = `<p>${escapeHtml(intro)}<a href="/docs/api">/docs/api</a>.</p><ul>${links.join('')}</ul>`
  const pages = titled.map(({ name, title, text }) => {
    const body = `<p><a href="/docs">Documentation</a></p><pre>${withLinks(escapeHtml(text), name, files)}</pre>`
    return [name, pageOf(title, body)] as const
  })
  return new Map([...files, ...pages, ['index.html', pageOf('Documentation', home)]])
}

const depthOf = (name: string): number => name.split('/').length

/** Links between the documents; those to other files of the checkout stay text. */
const withLinks = (text: string, of: string, files: Pages): string =>
  text.replaceAll(/\[([^\][]+)\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (whole, label: string, target: string) => {
    const name = normalize(`${dirname(of)}/${target}`)
    return files.has(name) ? `<a href="/docs/${name}">${label}</a>` : whole
  })

const pageOf = (title: string, body: string) =>
  madePage(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}pre{white-space:pre-wrap}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
  )
