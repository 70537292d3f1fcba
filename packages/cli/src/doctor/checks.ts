import { access, constants, readdir, stat, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { bytesText } from '@skillrun/core/figures.ts'
import { findOptional, installOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'
import { proxiedGet } from '@skillrun/server/adapters/egress/proxied-get.ts'
import { findBubblewrap, unprivilegedUser } from '@skillrun/server/adapters/sandbox/bubblewrap.ts'
import { findPython, shell } from '@skillrun/server/adapters/sandbox/interpreters.ts'
import { parseShards } from '@skillrun/server/adapters/shards/find-shard.ts'
import { createClient } from '../client.ts'
import { type ConnectionOptions, findConnection } from '../connection.ts'
import { dataFolders } from '../paths.ts'
import type { Check, Environment } from './check.ts'
import { databaseChecks } from './check-database.ts'

const nodeMajorMin = 24
/** Disk space for the database with its WAL, and some files. */
const freeBytesMin = 500_000_000

const providerVariables = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OLLAMA_BASE_URL',
  'SKILLRUN_GGUF',
]

/** Checks this machine and the server of the options. Never throws for missing parts. */
export async function runChecks(
  options: ConnectionOptions,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  if (environment['SKILLRUN_ROLE'] === 'router')
    return (
      await Promise.all([nodeCheck(), shardChecks(environment), serverCheck(options, environment, signal)])
    ).flat()
  const checks = await Promise.all([
    nodeCheck(),
    databaseChecks(environment),
    dataCheck(environment),
    recognitionCheck(),
    programCheck(environment, { name: 'ffmpeg', programs: ['ffmpeg'], use: 'video and audio', packageName: 'ffmpeg' }),
    sandboxCheck(environment),
    interpreterCheck(environment),
    fontCheck(environment),
    providerCheck(environment),
    proxyCheck(environment),
    identityProviderCheck(environment),
    optionalCheck('llama.cpp', optionalPackages.llama, 'a local model in a GGUF file (SKILLRUN_GGUF)'),
    optionalCheck('detectors', optionalPackages.detectors, 'image.faces and image.objects'),
    serverCheck(options, environment, signal),
  ])
  return checks.flat()
}

function nodeCheck(): Check {
  const good = Number(process.versions.node.split('.')[0]) >= nodeMajorMin
  return {
    name: 'Node',
    status: good ? 'ok' : 'missing',
    found: process.version,
    ...(good ? {} : { remedy: `install Node ${nodeMajorMin} from https://nodejs.org` }),
  }
}

async function dataCheck(environment: Environment): Promise<Check> {
  const name = 'data folder'
  const folder = dataFolders(environment)[0] ?? '.'
  const remedy = 'set SKILLRUN_DATA to a writable folder on a disk with enough free space'
  const there = await nearestThere(folder)
  try {
    if (!(await stat(there)).isDirectory())
      return { name, status: 'missing', found: `${there} is not a folder`, remedy }
    await access(there, constants.W_OK)
    const disk = await statfs(there)
    const freeBytes = disk.bavail * disk.bsize
    const found = `${folder}, ${bytesText(freeBytes)} free`
    if (freeBytes < freeBytesMin)
      return { name, status: 'missing', found: `${found}; at least ${bytesText(freeBytesMin)} are needed`, remedy }
    return { name, status: 'ok', found }
  } catch {
    return { name, status: 'missing', found: `${folder} is not writable`, remedy }
  }
}

/** The nearest existing folder: the data folder or the one in which it would be created. */
async function nearestThere(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const there = await access(at).then(
      () => true,
      () => false,
    )
    if (there || at === dirname(at)) return at
  }
}

/** Languages with bundled OCR data; English is required. */
const recognised = { eng: 'English', deu: 'German', fra: 'French', spa: 'Spanish' }

async function recognitionCheck(): Promise<Check> {
  const name = 'OCR data'
  const found: string[] = []
  // The published reader brings the data along inside of its package.
  const { resolve: find } = createRequire(import.meta.resolve('@skillrun/reader'))
  for (const [code, language] of Object.entries(recognised)) {
    try {
      const folder = dirname(find(`@tesseract.js-data/${code}/package.json`))
      await access(join(folder, '4.0.0_best_int', `${code}.traineddata.gz`), constants.R_OK)
      found.push(language)
    } catch {
      // Listed as missing.
    }
  }
  if (found.includes(recognised.eng)) return { name, status: 'ok', found: found.join(', ') }
  return { name, status: 'missing', found: found.join(', ') || 'no language', remedy: 'run "npm install"' }
}

interface WantedProgram {
  readonly name: string
  /** Names of the program on different systems. */
  readonly programs: readonly string[]
  readonly use: string
  readonly packageName: string
}

async function programCheck(
  environment: Environment,
  { name, programs, use, packageName }: WantedProgram,
): Promise<Check> {
  const path = await findProgram(environment, programs)
  if (path) return { name, status: 'ok', found: path }
  return {
    name,
    status: 'optional',
    found: `not on PATH; needed for ${use}`,
    remedy: `install it, for example with apt-get install ${packageName}`,
  }
}

/** The consequences of a missing sandbox, as described in SECURITY.md. */
const withoutSandbox =
  'without it, scripts of skills are refused, and programs, ffmpeg and document parsers run with resource limits but without a second sandbox'

async function sandboxCheck(environment: Environment): Promise<Check> {
  const name = 'bubblewrap'
  const hidden = dataFolders(environment)
  const looked = await findBubblewrap({ environment, hidden, as: unprivilegedUser })
  if ('found' in looked) {
    const found = `${looked.found.path} isolates scripts, programs, ffmpeg and document parsers`
    return { name, status: 'ok', found }
  }
  const [why = '', remedy = ''] = looked.missing.split(/: (.*)/s)
  return { name, status: 'optional', found: `${why}; ${withoutSandbox}`, remedy: remedy || 'run the server on Linux' }
}

/** What runs scripts of skills. Node is always available: it runs the server. */
function interpreterCheck(environment: Environment): Check {
  const python = findPython({ setting: environment['SKILLRUN_PYTHON'], hidden: dataFolders(environment) })
  const name = 'interpreters'
  const others = `node ${process.version}, ${shell}`
  if ('found' in python) return { name, status: 'ok', found: `${python.found.path}, ${others}, for scripts of skills` }
  const [why = '', remedy = ''] = python.missing.split(/: (.*)/s)
  const status = environment['SKILLRUN_PYTHON'] ? 'missing' : 'optional'
  return { name, status, found: `${others}; ${why}, so Python scripts of skills are refused`, remedy }
}

async function findProgram(environment: Environment, programs: readonly string[]): Promise<string | undefined> {
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    for (const program of programs) {
      const path = join(folder, program)
      const runs = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (runs) return path
    }
  }
  return undefined
}

/** Letters in charts and beside marks on images are drawn with the fonts of the machine; documents bring their own. */
async function fontCheck(environment: Environment): Promise<readonly Check[]> {
  if (process.platform !== 'linux') return []
  const home = environment['HOME'] ?? '/root'
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', `${home}/.local/share/fonts`, `${home}/.fonts`]
  for (const folder of folders) {
    const files = await readdir(folder, { recursive: true }).catch(() => [])
    if (files.some((file) => /\.(ttf|otf|ttc|pfb)$/i.test(file)))
      return [{ name: 'fonts', status: 'ok', found: folder }]
  }
  const found = 'none; letters in charts and beside marks on images are drawn as boxes, everything else works'
  return [{ name: 'fonts', status: 'optional', found, remedy: 'apt-get install fonts-dejavu-core' }]
}

/** Named only where there is one. */
function proxyCheck(environment: Environment): readonly Check[] {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY'].filter((name) => environment[name.toLowerCase()] || environment[name])
  if (names.length === 0) return []
  const use =
    'calls of model and OpenID providers go through it; inputs by URL and callbacks do not, because the server checks their addresses'
  return [{ name: 'outbound proxy', status: 'ok', found: `${names.join(' and ')} set; ${use}` }]
}

function providerCheck(environment: Environment): Check {
  const set = providerVariables.filter((variable) => environment[variable])
  if (set.length > 0) return { name: 'model providers', status: 'ok', found: `${set.join(', ')} set` }
  return {
    name: 'model providers',
    status: 'optional',
    found: 'none set; only the embedded engine is used',
    remedy: `set one of ${providerVariables.join(', ')}`,
  }
}

/** Whether the configured OpenID provider answers, and calls itself as it is configured. */
async function identityProviderCheck(environment: Environment): Promise<readonly Check[]> {
  const issuer = environment['SKILLRUN_OIDC_ISSUER']
  if (!issuer) return []
  const name = 'OpenID provider'
  const remedy = 'correct SKILLRUN_OIDC_ISSUER: it is the "issuer" of <issuer>/.well-known/openid-configuration'
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const reply = await proxiedGet(url, environment, AbortSignal.timeout(10_000))
    if (!reply.ok) return [{ name, status: 'missing', found: `${url} answers ${reply.status}`, remedy }]
    const { issuer: described } = (await reply.json()) as { issuer?: unknown }
    if (described === issuer) return [{ name, status: 'ok', found: `${issuer} answers` }]
    return [{ name, status: 'missing', found: `${url} has the issuer ${JSON.stringify(described)}`, remedy }]
  } catch {
    return [{ name, status: 'missing', found: `${url} does not answer with JSON`, remedy }]
  }
}

/** Whether the installations behind a router answer. A router needs nothing else: it has no data and runs nothing. */
async function shardChecks(environment: Environment): Promise<readonly Check[]> {
  const shards = parseShards(environment['SKILLRUN_SHARDS'] ?? '')
  if (!shards) {
    const remedy = 'set SKILLRUN_SHARDS to names and addresses such as a=http://10.0.0.1:8080,b=http://10.0.0.2:8080'
    return [{ name: 'shards', status: 'missing', found: 'SKILLRUN_SHARDS names no installations', remedy }]
  }
  const remedy = 'start it, or correct SKILLRUN_SHARDS; the router serves the others meanwhile'
  return Promise.all(
    shards.map(async ({ name, url }): Promise<Check> => {
      const about = { name: `shard ${name}`, status: 'missing', remedy } as const
      try {
        const reply = await fetch(new URL('/readyz', url), { redirect: 'error', signal: AbortSignal.timeout(5_000) })
        if (reply.ok) return { name: about.name, status: 'ok', found: `${url.origin} is ready` }
        return { ...about, found: `${url.origin} answers ${reply.status}` }
      } catch {
        return { ...about, found: `${url.origin} does not answer` }
      }
    }),
  )
}

function optionalCheck(name: string, packages: Parameters<typeof findOptional>[0], use: string): Check {
  if (findOptional(packages)) return { name, status: 'ok', found: packages.packages.join(', ') }
  return {
    name,
    status: 'optional',
    found: `not installed; needed for ${use}`,
    remedy: installOptional(packages),
  }
}

async function serverCheck(options: ConnectionOptions, environment: Environment, signal: AbortSignal): Promise<Check> {
  const name = 'server'
  try {
    const connection = await findConnection(options, environment)
    const found = `${connection.url} (from ${connection.urlFrom})`
    try {
      await createClient(connection, signal).checkKey()
      return { name, status: 'ok', found: `${found} accepts the key from ${connection.keyFrom}` }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Fault)) throw error
      if (error.kind === 'unavailable')
        return {
          name,
          status: 'optional',
          found: `no server responds at ${found}`,
          remedy: 'start one with "skillrun serve"',
        }
      const remedy = 'give a valid key with --key, SKILLRUN_API_KEY or "skillrun login", or another address with --url'
      const status = error.kind === 'unauthenticated' && connection.keyFrom === undefined ? 'optional' : 'missing'
      return { name, status, found: `${found}: ${error.message}`, remedy }
    }
  } catch (error) {
    if (error instanceof Fault) return { name, status: 'missing', found: error.message, remedy: 'correct it' }
    throw error
  }
}
