// Builds the documentation site from docs/ into site/dist: `npm run docs`. The builder has packages of its own, which
// `npm ci` in site/ installs; nothing else needs them. The build itself uses no network.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawConcepts } from './docs/concept-pictures.ts'
import { preparePages } from './docs/pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const site = join(root, 'site')
const builder = join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js')

function install() {
  if (existsSync(builder)) return
  console.error('Installing the builder of the site (site/node_modules).')
  const npm = process.env['npm_execpath']
  const [program, first] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []]
  const args = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(program, args, { cwd: site, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The builder of the site could not be installed; see above')
}

/** The pages, and the images that they show, as VitePress reads them. */
async function writePages() {
  const folder = join(site, 'pages')
  rmSync(folder, { recursive: true, force: true })
  const { pages, images } = await preparePages(root)
  for (const [name, text] of pages) {
    const path = join(folder, `${name}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const image of images) {
    const path = join(folder, 'public', 'images', image)
    mkdirSync(dirname(path), { recursive: true })
    cpSync(join(root, 'docs', 'images', image), path)
  }
  return pages.size
}

/** Moves scripts that stand in a page into files: the policy of the server runs no others. */
function moveScripts(folder: string) {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.html')) continue
    const path = join(folder, entry)
    const html = readFileSync(path, 'utf8').replaceAll(
      /<script([^>]*)>([^<]+)<\/script>/g,
      (_whole, attributes, code) => {
        const name = `inline.${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`
        writeFileSync(join(folder, 'assets', name), code)
        return `<script${attributes} src="/docs/assets/${name}"></script>`
      },
    )
    writeFileSync(path, html)
  }
}

for (const [name, svg] of drawConcepts()) writeFileSync(join(root, 'docs', 'images', name), svg)
install()
const count = await writePages()
const fresh = join(site, `dist-${process.pid}`)
try {
  const env = { ...process.env, NODE_ENV: 'production', SITE_OUT: fresh }
  const { status, stdout, stderr } = spawnSync(process.execPath, [builder, 'build', site], {
    cwd: site,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The site cannot be built:\n${stdout}${stderr}`)
  moveScripts(fresh)
  rmSync(join(site, 'dist'), { recursive: true, force: true })
  renameSync(fresh, join(site, 'dist'))
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
console.log(`site/dist has the documentation: ${count} pages. The server shows it at /docs after its next start.`)
