import { createWriteStream, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { release } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { ZipFile } from 'yazl'
import type { Client } from '../client.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { runChecks } from '../doctor/checks.ts'
import { version } from '../installation.ts'
import { callerPath } from '../paths.ts'
import { renderJson } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** The end of a log that is looked at, and the most lines of it. */
const logBytesMax = 4 * 1024 * 1024
const logLinesMax = 2_000

/** Variables whose values are plain settings. Of others the bundle says only that they are set. */
const plainVariables: ReadonlySet<string> = new Set([
  ...['PORT', 'HOST', 'LOG_LEVEL', 'NODE_ENV', 'SKILLRUN_ROLE', 'SKILLRUN_SLOTS', 'SKILLRUN_WORKER_PORT'],
  ...['SKILLRUN_ALLOW_LOSSY', 'SKILLRUN_ALLOW_MIXED_MODELS', 'SKILLRUN_WARM'],
])
const ourVariables =
  /^(SKILLRUN_|DATABASE_URL$|PORT$|HOST$|LOG_LEVEL$|NODE_ENV$|OTEL_|OPENAI_|ANTHROPIC_|GOOGLE_|OLLAMA_|AWS_)/

/** Members of log lines that never contain content: names, ids, figures and times of ours. */
const plainMembers: ReadonlySet<string> = new Set([
  ...[
    'level',
    'time',
    'pid',
    'hostname',
    'msg',
    'requestId',
    'executionId',
    'operation',
    'status',
    'code',
    'ms',
    'attempt',
  ],
  ...['tier', 'model', 'engine', 'kind', 'topic', 'jobs', 'purged', 'removed', 'workspaceId'],
])

/** `skillrun support-bundle`: what a maintainer needs to know of an installation, without secrets and content. */
export function addSupportBundle(program: Command, terminal: Terminal): void {
  program
    .command('support-bundle')
    .description('write a .zip that describes this installation for a bug report, without secrets and documents')
    .argument('[file]', 'file to write', 'skillrun-support.zip')
    .option('--log <FILE>', 'log of the server: its last lines are added, without what may be content')
    .examples('skillrun support-bundle', 'skillrun support-bundle bundle.zip --log /var/log/skillrun.log')
    .action(async (file: string, { log }: { log?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const client = await command.connect()
      const checks = await runChecks(options, terminal.environment, terminal.signal)
      const parts: Record<string, string> = {
        'versions.json': renderJson(versions()),
        'doctor.json': renderJson(checks),
        'environment.json': renderJson(variables(terminal.environment)),
        'configuration.json': renderJson(configuration(terminal.environment)),
        'settings.json': await answer(client, '/v1/settings'),
        'queues.json': await answer(client, '/v1/queues'),
        'metrics.txt': await metrics(client, terminal.signal),
        ...(log === undefined ? {} : { 'log.jsonl': await logLines(callerPath(log, terminal.environment)) }),
      }
      const path = callerPath(file, terminal.environment)
      await writeZip(path, parts)
      if (options.json) terminal.print(renderJson({ path, files: Object.keys(parts) }))
      else terminal.log(`${path} has ${Object.keys(parts).join(', ')}. Look through it before you send it.`)
    })
}

const versions = () => ({
  skillrun: version,
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  system: release(),
})

function variables(environment: Terminal['environment']): Record<string, string> {
  const names = Object.keys(environment).filter((name) => ourVariables.test(name) && environment[name])
  return Object.fromEntries(
    names.sort().map((name) => [name, plainVariables.has(name) ? (environment[name] ?? '') : '(set)']),
  )
}

/** The configuration file with figures and switches alone: any text may be a key or an address. */
function configuration(environment: Terminal['environment']): Json {
  const path = environment['SKILLRUN_CONFIG']
  if (!path) return null
  try {
    return withoutTexts(JSON.parse(readFileSync(callerPath(path, environment), 'utf8')) as Json)
  } catch {
    return 'cannot be read as JSON'
  }
}

function withoutTexts(value: Json): Json {
  if (typeof value === 'string') return '(text)'
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutTexts(one)]))
}

/** What the server answers, or why it does not: a bundle is needed most when something is broken. */
const answer = (client: Client, path: string): Promise<string> =>
  client.call<Json>(path).then(renderJson, (error: unknown) => renderJson({ failed: sentenceOf(error) }))

async function metrics({ connection: { url, key } }: Client, signal: AbortSignal): Promise<string> {
  try {
    const reply = await fetch(`${url}/metrics`, { headers: key ? { Authorization: `Bearer ${key}` } : {}, signal })
    return reply.ok ? await reply.text() : `# answered with status ${reply.status}\n`
  } catch (error) {
    return `# ${sentenceOf(error)}\n`
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function logLines(path: string): Promise<string> {
  const file = await open(path).catch(() => {
    throw new Fault('invalid', 'unreadable_log', `The log ${path} cannot be read`)
  })
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - logBytesMax)
    const bytes = Buffer.alloc(size - from)
    await file.read(bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8').split('\n').slice(-logLinesMax)
    return lines.flatMap(plainLine).join('')
  } finally {
    await file.close()
  }
}

/** A line of the structured log with the members that are known to be plain; nothing for any other line. */
function plainLine(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line)
    if (!isJsonObject(value)) return []
    const kept = Object.entries(value).filter(([name]) => plainMembers.has(name))
    const left = Object.keys(value).filter((name) => !plainMembers.has(name))
    return [`${JSON.stringify({ ...Object.fromEntries(kept), ...(left.length > 0 ? { left_out: left } : {}) })}\n`]
  } catch {
    return []
  }
}

async function writeZip(path: string, parts: Readonly<Record<string, string>>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name, { mode: 0o600 })
  zip.end()
  const unfinished = `${path}.unfinished`
  try {
    await pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600 }))
    await rename(unfinished, path)
  } catch (error) {
    throw new Fault('invalid', 'unwritable_bundle', `${path} cannot be written: ${sentenceOf(error)}`)
  }
}
