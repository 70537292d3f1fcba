// Puts what a staged package imports from its dependencies into a few files of its own, in `vendor`, with their licences: npm then has
// nothing to look up, fetch and unpack for them. What loads files beside its own stays a dependency.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const imported = /((?:^(?:import|export)\b[^'"`]*?|\bimport\(\s*)['"])([^'"`./#][^'"`]*)(['"])/gm

/** An import wherever it stands, in comments too. */
const bare = /\b(?:from|import)\s*\(?\s*['"]([^'"`./#][^'"]*)['"]/g

/**
 * Vendors dependencies of the package in `folder`. A name that the code does not contain is left out of them.
 * Dependencies that are `kept` are imported as before, also by those that are vendored.
 */
export async function vendor(folder, dependencies, kept) {
  const isOurs = (specifier) => dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  const files = codeOf(folder).map((path) => ({ path, code: readFileSync(path, 'utf8') }))
  const specifiers = new Set(files.flatMap(({ code }) => specifiersIn(code)).filter(isOurs))
  const words = new Set(files.flatMap(({ code }) => code.match(/[\w$]+/g) ?? []))
  const input = Object.fromEntries([...specifiers].map((specifier) => [nameOf(specifier), `vendored:${specifier}`]))
  const from = join(root, 'package.json')
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input,
    platform: 'node',
    external: kept.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [
      {
        name: 'vendored',
        resolveId(id, importer) {
          if (id.startsWith('vendored:')) return `\0${id}`
          return importer?.startsWith('\0vendored:') ? this.resolve(id, from) : undefined
        },
        async load(id) {
          if (!id.startsWith('\0vendored:')) return undefined
          const specifier = id.slice('\0vendored:'.length)
          const names = Object.keys(await import(import.meta.resolve(specifier)))
          const wanted = names.filter((name) => name === 'default' || words.has(name))
          return `export { ${wanted.join(', ')} } from ${JSON.stringify(specifier)}`
        },
      },
    ],
  })
  const place = join(folder, 'vendor')
  const names = { entryFileNames: '[name].js', chunkFileNames: 'shared/[hash].js' }
  const { output } = await made.write({ dir: place, format: 'esm', ...names })
  for (const { path, code } of files) {
    const to = (specifier) => {
      const way = relative(dirname(path), join(place, `${nameOf(specifier)}.js`))
      return way.startsWith('.') ? way : `./${way}`
    }
    const changed = code.replaceAll(imported, (found, before, specifier, after) =>
      isOurs(specifier) ? `${before}${to(specifier)}${after}` : found,
    )
    const left = [...changed.matchAll(bare)].map(([, specifier]) => specifier).find(isOurs)
    if (left) throw new Error(`${relative(folder, path)} still imports ${left}`)
    if (changed !== code) writeFileSync(path, changed)
  }
  const modules = output.flatMap((chunk) => Object.keys(chunk.modules ?? {}))
  const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
  writeFileSync(join(place, 'LICENSES.md'), licencesOf(modules.flatMap((path) => inPackage.exec(path) ?? [])))
}

/** `ajv/dist/2020` of ajv/dist/2020.js. */
const nameOf = (specifier) => specifier.replace(/\.js$/, '')
const specifiersIn = (code) => [...code.matchAll(imported)].map(([, , specifier]) => specifier)

const codeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^(node_modules|vendor|skills|samples|site|dist)\//.test(relative(folder, path)))

/** The packages in these folders, each with its version, the name of its licence and the licence. */
export function licencesOf(folders) {
  const sections = [...new Set(folders)].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { name, version, author, license = manifest.licenses?.map(({ type }) => type).join(', ') } = manifest
    if (!license) throw new Error(`${name} states no licence`)
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice|copying)[^/]*$/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    const by = author?.name ?? author
    if (texts.length === 0) texts.push(`The package has no text of it${by ? `; it is by ${by}` : ''}.`)
    return `## ${name} ${version}: ${license}\n\n${texts.join('\n\n')}\n`
  })
  return `# Packages of others in this folder\n\n${sections.sort().join('\n')}`
}
