// Makes a release: `node scripts/release.mjs VERSION [--out FOLDER] [--dry-run]`.
// Writes the tarballs of all packages, the bill of materials, where they come from, the section of the changelog and SHA256SUMS into FOLDER
// (default: release/VERSION), and the version into package.json, package-lock.json and CHANGELOG.md of the checkout. A dry run writes
// only FOLDER. Publishing stays a command of its own, which is printed at the end.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { integrationNames, pack, packageNames, stagePackages } from './stage.mjs'

const root = resolve(fileURLToPath(import.meta.url), '..', '..')
const unreleased = '## Unreleased'

const read = (path) => readFileSync(join(root, path), 'utf8')
const json = (path) => JSON.parse(read(path))

/** Three numbers, and maybe a name of a pre-release: 1.2.3, 1.2.3-beta.1. */
const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9a-z.-]+)?$/

/** Whether a version comes after another; pre-releases of the same three numbers count as equal. */
function isNewer(version, than) {
  const [one, other] = [version, than].map((text) => pattern.exec(text)?.slice(1, 4).map(Number) ?? [])
  const at = one.findIndex((number, index) => number !== other[index])
  return at < 0 ? version !== than : one[at] > other[at]
}

/** What the changelog says under *Unreleased*. */
function sectionOf(changelog) {
  const after = changelog.split(`${unreleased}\n`)[1]
  return after?.split(/^## /m)[0]?.trim() ?? ''
}

function refuse(sentence) {
  console.error(`release: ${sentence}`)
  process.exit(1)
}

async function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  })
  const [version = ''] = positionals
  const isDry = values['dry-run']
  if (Number(process.versions.node.split('.')[0]) < 24) refuse(`Node 24 makes releases, this is ${process.version}.`)
  if (!pattern.test(version)) refuse(`give a version such as 1.2.3, not ${JSON.stringify(version)}.`)
  const present = json('package.json').version
  // The first release has the version that the checkout has had so far.
  if (version !== present && !isNewer(version, present)) refuse(`${version} is not newer than ${present}.`)
  const changelog = read('CHANGELOG.md')
  const section = sectionOf(changelog)
  if (section === '') refuse(`CHANGELOG.md says nothing under "${unreleased}".`)
  if (changelog.includes(`## ${version} `)) refuse(`CHANGELOG.md already has a section for ${version}.`)
  if (!isDry && execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    refuse('the checkout has changes that are not committed.')
  if (!isDry && !existsSync(join(root, 'site', 'dist', 'index.html')))
    refuse('the documentation is not built: run npm run docs.')

  const out = resolve(values.out ?? join(root, 'release', version))
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const staged = join(out, 'staged')
  const tarballs = pack(await stagePackages(staged, { version }), out)
  rmSync(staged, { recursive: true })
  writeFileSync(join(out, 'sbom.json'), billOfMaterials())
  writeFileSync(join(out, 'CHANGES.md'), `# Skillrun ${version}\n\n${section}\n`)
  writeFileSync(join(out, 'provenance.json'), provenance(version, tarballs))
  const sums = readdirSync(out)
    .sort()
    .map((name) => `${sha256(join(out, name))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))

  if (!isDry) {
    setVersion(version)
    const today = new Date().toISOString().slice(0, 10)
    writeFileSync(
      join(root, 'CHANGELOG.md'),
      changelog.replace(unreleased, `${unreleased}\n\n## ${version} (${today})`),
    )
  }
  console.log(`${out} has ${tarballs.length} packages, sbom.json, provenance.json, CHANGES.md and SHA256SUMS.`)
  if (isDry) return
  console.log('Commit and tag the version, and publish in this order:')
  for (const tarball of tarballs) console.log(`  npm publish --provenance ${basename(tarball)}`)
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')

/**
 * What the tarballs were made of and by what: a statement of in-toto with SLSA's provenance. It is not signed; who publishes signs the
 * packages by `npm publish --provenance`.
 */
function provenance(version, tarballs) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain') !== ''
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: tarballs.map((path) => ({ name: basename(path), digest: { sha256: sha256(path) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:skillrun:scripts/release.mjs',
        externalParameters: { version },
        internalParameters: { changedAfterCommit: isChanged },
        resolvedDependencies: [
          { name: 'checkout', digest: { gitCommit: git('rev-parse', 'HEAD') } },
          { name: 'package-lock.json', digest: { sha256: sha256(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: { builder: { id: 'urn:skillrun:checkout', version: { node: process.version } } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

/**
 * CycloneDX, of what is installed with the packages. Not by `--omit dev`, with which npm also leaves out packages that workspaces
 * need.
 */
function billOfMaterials() {
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []]
  const args = [...first, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 }
  const bill = JSON.parse(execFileSync(program, args, options))
  const isOfDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === 'cdx:npm:package:development')
  const gone = new Set(bill.components.filter(isOfDevelopment).map((component) => component['bom-ref']))
  const isLeft = (ref) => !gone.has(ref)
  const components = bill.components.filter((component) => isLeft(component['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => isLeft(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter(isLeft) }))
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`
}

function setVersion(version) {
  const previous = json('package.json').version
  const names = [...packageNames, ...integrationNames]
  for (const path of ['package.json', ...names.map((name) => `packages/${name}/package.json`)]) {
    const manifest = json(path)
    manifest.version = version
    for (const kind of ['dependencies', 'devDependencies'])
      for (const name of Object.keys(manifest[kind] ?? {}))
        if (name.startsWith('@skillrun/')) manifest[kind][name] = version
    writeFileSync(join(root, path), `${JSON.stringify(manifest, null, 2)}\n`)
  }
  if (previous === version || !existsSync(join(root, 'package-lock.json'))) return
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'ignore',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await release()
