import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { parseKeys } from '@skillrun/core/secret-keys.ts'
import { z } from 'zod'
import { modelSettings, type Provider, providersOf } from './features/models/providers.ts'
import { isCallbackSecret } from './features/webhooks/signature.ts'
import type { OllamaPlace } from './open-model.ts'

/** The tiers in the order in which a free slot goes to them. */
const tiers = ['priority', 'standard', 'flex'] as const

/** How this process runs: environment and configuration file, read once. */
export interface Config {
  readonly logLevel: string
  readonly host: string
  readonly port: number
  /** Scheme and host for the URLs of this server that it gives out; undefined: the address that a request came in on. */
  readonly publicUrl: string | undefined
  /** Absolute path. */
  readonly dataFolder: string
  /** Absolute paths that nothing in a sandbox may see, wherever they lie: the data folder and the configuration file. */
  readonly privatePaths: readonly string[]
  readonly role: 'all' | 'api' | 'worker'
  /** Where a worker tells how it is, on `host`; undefined: nowhere. */
  readonly workerPort: number | undefined
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Whether a database may be used on which a commit can be lost. */
  readonly allowLossy: boolean
  /** Whether processes on one database may have different configurations of models. */
  readonly allowsMixedModels: boolean
  /** The first workspace's admin key, when the operator gave one. */
  readonly apiKey: string | undefined
  /** What secrets in the database are encrypted with, the key in force first; undefined: the key file of the data folder. */
  readonly secretKeys: readonly [Buffer, ...Buffer[]] | undefined
  /** What callbacks of the first workspace are signed with, when the operator gave it. */
  readonly callbackSecret: string | undefined
  /** Runs at once in this process, by tier. */
  readonly slots: Readonly<Record<(typeof tiers)[number], number>>
  readonly allowPrivate: string
  /** Undefined: blobs on the local disk. */
  readonly s3Url: string | undefined
  readonly file: ConfigFile
  /** Servers of models that this process has a key or an address for. */
  readonly providers: readonly Provider[]
  /** Where traces are sent (OTLP over HTTP); undefined: nowhere. */
  readonly tracesUrl: string | undefined
  /** Where to look for an Ollama; null: nowhere. */
  readonly ollama: OllamaPlace | null
}

const pricePerMillion = z.number().nonnegative()
const configFileSchema = z.strictObject({
  ...modelSettings,
  /** Other names of models, accepted on input only. A name may end in `*`. */
  aliases: z.record(z.string(), z.string()).optional(),
  /** The ten third-party variants of the second generation. */
  variants: z.array(z.string().regex(/^[a-z0-9][a-z0-9.-]*$/)).optional(),
  /** Fixed prices of tools in dollars for each call. */
  prices: z.strictObject({ tools: z.record(z.string(), pricePerMillion).optional() }).optional(),
  programs: z
    .strictObject({
      /** Share of the runs of a program that are run as an agent too, to see whether they agree. */
      shadow_share: z.number().min(0).max(1).optional(),
      /** A program of which more answers are wrong is taken out of service. */
      wrong_rate_max: z.number().min(0.001).max(0.5).optional(),
    })
    .optional(),
  /** Lets runs read the web: all public hosts, or these and what lies below them. */
  web: z.union([z.literal(true), z.array(z.string().min(1).max(253)).min(1).max(1_000)]).optional(),
  /** Servers of the Model Context Protocol, by the name that their tools get. */
  mcp: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]{0,30}$/),
      z.union([
        z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: z.record(z.string(), z.string()).optional() }),
        z.strictObject({
          command: z.string().min(1),
          args: z.array(z.string()).optional(),
          env: z.record(z.string(), z.string()).optional(),
        }),
      ]),
    )
    .optional(),
  limits: z
    .strictObject({
      requests_per_minute: z.int().min(1).optional(),
      /** Fewer for single routes, by the name of their operation: `{ "executeAgent": 600 }`. */
      requests_per_minute_by_route: z.record(z.string(), z.int().min(1)).optional(),
      /** Streams of events that one workspace may have open at once in one process. */
      event_streams_per_workspace: z.int().min(1).max(1_000_000).optional(),
      /** Days after its end for which the content of an execution is kept; hashes, usage and price stay. Default: for good. */
      retention_days: z.number().positive().max(36_500).optional(),
      /** All files of one workspace together. */
      storage_bytes_per_workspace: z.int().min(0).optional(),
      /** Uploads that one key may have in progress, in all processes together. */
      uploads_per_key: z.int().min(1).max(100_000).optional(),
      /** Executions that may wait: of one tier, and of one workspace in all tiers. */
      waiting_per_tier: z.int().min(1).max(10_000_000).optional(),
      /** Executions of one workspace that may run at once, on all machines together. */
      running_per_workspace: z.int().min(1).max(100_000).optional(),
      waiting_per_workspace: z.int().min(1).max(10_000_000).optional(),
      /** Calls of a model for one turn, the first included. */
      model_attempts: z.int().min(1).max(20).optional(),
      model_call_ms: z.int().min(100).max(3_600_000).optional(),
      sync_wait_ms: z.int().min(0).max(600_000).optional(),
      /** Pauses between the tries of a callback, each give or take a tenth; as many tries as pauses, and one. */
      callback_retry_seconds: z.array(z.number().positive().max(259_200)).min(1).max(50).optional(),
    })
    .optional(),
})
type ConfigFile = z.infer<typeof configFileSchema>

/**
 * Reads the configuration of this process from environment variables and the file that SKILLRUN_CONFIG names.
 * Throws a Fault whose sentence names the variable, what it was, and what is allowed.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, workingFolder: string): Config {
  const file = configFileOf(env['SKILLRUN_CONFIG'], workingFolder)
  const dataFolder = resolve(workingFolder, env['SKILLRUN_DATA'] || '.skillrun')
  // Folders in the data folder may be links to other disks.
  const dataFolders = [dataFolder, join(dataFolder, 'blobs'), join(dataFolder, 'postgres')]
  const configPath = env['SKILLRUN_CONFIG']
  return Object.freeze({
    logLevel: oneOf(env, 'LOG_LEVEL', ['warn', 'trace', 'debug', 'info', 'error', 'fatal', 'silent'] as const),
    host: env['HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PORT', { fallback: 8080, min: 0, max: 65_535 }),
    publicUrl: publicUrlOf(env),
    dataFolder,
    privatePaths: [...dataFolders, ...(configPath ? [resolve(workingFolder, configPath)] : [])],
    role: oneOf(env, 'SKILLRUN_ROLE', ['all', 'api', 'worker'] as const),
    workerPort: env['SKILLRUN_WORKER_PORT']
      ? wholeNumber(env, 'SKILLRUN_WORKER_PORT', { fallback: 0, min: 0, max: 65_535 })
      : undefined,
    databaseUrl: databaseUrlOf(env),
    allowLossy: oneOf(env, 'SKILLRUN_ALLOW_LOSSY', ['no', 'yes'] as const) === 'yes',
    allowsMixedModels: oneOf(env, 'SKILLRUN_ALLOW_MIXED_MODELS', ['no', 'yes'] as const) === 'yes',
    apiKey: apiKeyOf(env),
    secretKeys: secretKeysIn(env),
    callbackSecret: callbackSecretOf(env),
    slots: slotsOf(env['SKILLRUN_SLOTS']),
    allowPrivate: env['SKILLRUN_ALLOW_PRIVATE'] ?? '',
    s3Url: env['SKILLRUN_S3_URL'] || undefined,
    file,
    providers: providersOf(file, env),
    tracesUrl: tracesUrlOf(env),
    ollama: ollamaOf(env),
  })
}

/** The variables of OpenTelemetry: an address for traces, or one for all signals, to which the path of traces is added. */
function tracesUrlOf(env: Environment): string | undefined {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const text = env[name]
  if (!text) return undefined
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw bad(name, text, 'an address such as http://127.0.0.1:4318')
  return own ? text : `${text.replace(/\/$/, '')}/v1/traces`
}

/** An Ollama is looked for on this machine alone, and shortly, unless OLLAMA_BASE_URL names its place; `off` is nowhere. */
function ollamaOf(env: Environment): OllamaPlace | null {
  const place = env['OLLAMA_BASE_URL']
  if (place === 'off') return null
  if (place && (!/^https?:\/\//.test(place) || !URL.canParse(place)))
    throw bad('OLLAMA_BASE_URL', place, 'an address such as http://127.0.0.1:11434, or off')
  // Ollama forgets what stands before its last tokens without a word: its own default unless it was told another.
  const contextTokens = wholeNumber(env, 'OLLAMA_CONTEXT_LENGTH', { fallback: 4_096, min: 1_000, max: 10_000_000 })
  return { baseUrl: place || 'http://127.0.0.1:11434', wallMs: place ? 2_000 : 200, contextTokens }
}

function bad(name: string, value: string, allowed: string): Fault {
  return new Fault('invalid', 'bad_configuration', `${name} is ${JSON.stringify(value)}, but should be ${allowed}.`)
}

type Environment = Readonly<Record<string, string | undefined>>

function wholeNumber(env: Environment, name: string, bounds: { fallback: number; min: number; max: number }): number {
  const text = env[name]
  if (!text) return bounds.fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= bounds.min && value <= bounds.max))
    throw bad(name, text, `a whole number from ${bounds.min} to ${bounds.max}`)
  return value
}

function oneOf<const Choices extends readonly [string, ...string[]]>(
  env: Environment,
  name: string,
  choices: Choices,
): Choices[number] {
  const text = env[name] || choices[0]
  if (!choices.includes(text)) throw bad(name, text, `one of ${choices.join(', ')}`)
  return text
}

function databaseUrlOf(env: Environment): string | undefined {
  const text = env['DATABASE_URL']
  if (!text) return undefined
  // The address may hold a password: it is not repeated.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw bad('DATABASE_URL', '(not shown)', 'an address such as postgres://user:password@host:5432/database')
  return text
}

function publicUrlOf(env: Environment): string | undefined {
  const text = env['SKILLRUN_PUBLIC_URL']
  if (!text) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw bad('SKILLRUN_PUBLIC_URL', text, 'a scheme and a host, such as https://skillrun.example.com')
  return url.origin
}

function apiKeyOf(env: Environment): string | undefined {
  const text = env['SKILLRUN_API_KEY']
  if (!text) return undefined
  if (!/^[\x21-\x7e]{16,200}$/.test(text))
    throw bad('SKILLRUN_API_KEY', '(not shown)', '16 to 200 printable ASCII characters without spaces')
  return text
}

function secretKeysIn(env: Environment): Config['secretKeys'] {
  const text = env['SKILLRUN_SECRET_KEY']
  if (!text) return undefined
  const keys = parseKeys(text)
  if (!keys)
    throw bad(
      'SKILLRUN_SECRET_KEY',
      '(not shown)',
      '32 random bytes in base64, as `openssl rand -base64 32` prints them; behind a comma, those before it',
    )
  return keys
}

function callbackSecretOf(env: Environment): string | undefined {
  const text = env['SKILLRUN_CALLBACK_SECRET']
  if (!text) return undefined
  if (!isCallbackSecret(text))
    throw bad(
      'SKILLRUN_CALLBACK_SECRET',
      '(not shown)',
      'whsec_ with base64 behind it, or 8 to 500 other printable ASCII characters without spaces',
    )
  return text
}

function slotsOf(text: string | undefined): Config['slots'] {
  const slots = { priority: 4, standard: 8, flex: 4 }
  for (const part of (text ?? '').split(',').filter(Boolean)) {
    const match = /^\s*(priority|standard|flex)\s*=\s*(\d{1,4})\s*$/.exec(part)
    const count = Number(match?.[2])
    if (!match || count < 1 || count > 1_000)
      throw bad('SKILLRUN_SLOTS', text ?? '', 'such as priority=4,standard=8,flex=4, each from 1 to 1000')
    slots[match[1] as keyof typeof slots] = count
  }
  return slots
}

function configFileOf(path: string | undefined, workingFolder: string): ConfigFile {
  if (!path) return {}
  let value: unknown
  try {
    value = JSON.parse(readFileSync(resolve(workingFolder, path), 'utf8'))
  } catch (error) {
    throw bad(
      'SKILLRUN_CONFIG',
      path,
      `the path of a readable JSON file (${error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read'})`,
    )
  }
  const parsed = configFileSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw bad(
    'SKILLRUN_CONFIG',
    path,
    `a valid configuration file; at ${issue?.path.join('.') || 'its root'}: ${issue?.message}`,
  )
}
