import { readFileSync } from 'node:fs'
import type { BlockList } from 'node:net'
import { join, resolve } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'
import { parseKeys } from '@skillrun/core/secret-keys.ts'
import { z } from 'zod'
import { parseAddressBlocks } from './adapters/http/network.ts'
import { parseShards, type Shard } from './adapters/shards/find-shard.ts'
import { modelSettings, type Provider, providersOf } from './features/models/providers.ts'
import { weakness } from './features/users/passwords.ts'
import { isCallbackSecret } from './features/webhooks/signature.ts'
import { type OidcSettings, readOidcSettings } from './oidc-settings.ts'
import type { OllamaPlace } from './open-model.ts'

/** The tiers in order of precedence for a free slot. */
const tiers = ['priority', 'standard', 'flex'] as const

/** The configuration of this process, read once from the environment and the configuration file. */
export interface Config {
  readonly logLevel: string
  readonly host: string
  readonly port: number
  /** Scheme and host for URLs that this server gives out; undefined: the address of each request. */
  readonly publicUrl: string | undefined
  /** Proxies and routers whose word about a client's address counts. */
  readonly trustedProxies: BlockList
  /** Absolute path. */
  readonly dataFolder: string
  /** Absolute paths that must be invisible in sandboxes: the data folder and the configuration file. */
  readonly privatePaths: readonly string[]
  /** An interpreter or the folder of a virtual environment for Python scripts of skills; undefined: the system's. */
  readonly python: string | undefined
  readonly role: 'all' | 'api' | 'worker' | 'router'
  /** The installations behind a router; undefined for every other role. */
  readonly shards: readonly [Shard, ...Shard[]] | undefined
  /** The port on `host` where a worker serves its health and metrics; undefined: none. */
  readonly workerPort: number | undefined
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  /** Whether a database that can lose commits is accepted. */
  readonly allowLossy: boolean
  /** Whether processes on one database may have different model configurations. */
  readonly allowsMixedModels: boolean
  /** Whether a child process reads a sample document at the start, so that the first document need not wait for one. */
  readonly warmsChildren: boolean
  /** The admin key of the first workspace, if the operator chose one. */
  readonly apiKey: string | undefined
  /** The account that becomes admin of the first workspace if none with this address exists. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined
  /** Undefined: people sign in by password alone. */
  readonly oidc: OidcSettings | undefined
  /** The keys that encrypt secrets in the database, the current one first; undefined: the key file of the data folder. */
  readonly secretKeys: readonly [Buffer, ...Buffer[]] | undefined
  /** The callback secret of the first workspace, if the operator chose one. */
  readonly callbackSecret: string | undefined
  /** Concurrent runs of this process, by tier. */
  readonly slots: Readonly<Record<(typeof tiers)[number], number>>
  readonly allowPrivate: string
  /** Undefined: blobs on the local disk. */
  readonly s3Url: string | undefined
  readonly file: ConfigFile
  /** Model providers for which this process has a key or an address. */
  readonly providers: readonly Provider[]
  /** The OTLP endpoint for traces (over HTTP); undefined: none. */
  readonly tracesUrl: string | undefined
  /** Where OpenTelemetry's logs are sent; undefined: nowhere. */
  readonly logsUrl: string | undefined
  /** Where to find Ollama; null: do not search. */
  readonly ollama: OllamaPlace | null
}

const pricePerMillion = z.number().nonnegative()
/** The file that `SKILLRUN_CONFIG` names. */
export const configFileSchema = z.strictObject({
  ...modelSettings,
  /** Aliases of model identifiers, accepted in requests only. A name may end in `*`. */
  aliases: z.record(z.string(), z.string()).optional(),
  /** The ten third-party variants of the second generation. */
  variants: z.array(z.string().regex(/^[a-z0-9][a-z0-9.-]*$/)).optional(),
  /** Fixed prices of tools in dollars per call. */
  prices: z.strictObject({ tools: z.record(z.string(), pricePerMillion).optional() }).optional(),
  programs: z
    .strictObject({
      /** The share of a program's runs that also run as an agent, to compare the answers. */
      shadow_share: z.number().min(0).max(1).optional(),
      /** A program with a higher rate of wrong answers is disabled. */
      wrong_rate_max: z.number().min(0.001).max(0.5).optional(),
    })
    .optional(),
  /** Gives runs web access: to all public hosts, or to these and their subdomains. */
  web: z.union([z.literal(true), z.array(z.string().min(1).max(253)).min(1).max(1_000)]).optional(),
  /** Model Context Protocol servers, by the toolset name of their tools. */
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
      /** Lower limits for single operations, by operationId: `{ "executeAgent": 600 }`. */
      requests_per_minute_by_route: z.record(z.string(), z.int().min(1)).optional(),
      /** Open event streams per workspace and process. */
      event_streams_per_workspace: z.int().min(1).max(1_000_000).optional(),
      /** Days for which the content of an ended execution is kept; hashes, usage and price stay. Default: forever. */
      retention_days: z.number().positive().max(36_500).optional(),
      /** All files of one workspace. */
      storage_bytes_per_workspace: z.int().min(0).optional(),
      /** Concurrent uploads per key, in all processes together. */
      uploads_per_key: z.int().min(1).max(100_000).optional(),
      /** Waiting executions per tier, and per workspace in all tiers. */
      waiting_per_tier: z.int().min(1).max(10_000_000).optional(),
      /** Concurrent executions per workspace, on all machines together. */
      running_per_workspace: z.int().min(1).max(100_000).optional(),
      waiting_per_workspace: z.int().min(1).max(10_000_000).optional(),
      /** Attempts per model call, including the first. */
      model_attempts: z.int().min(1).max(20).optional(),
      /** Model turns per execution. */
      model_turns: z.int().min(1).max(100_000).optional(),
      model_call_ms: z.int().min(100).max(3_600_000).optional(),
      sync_wait_ms: z.int().min(0).max(600_000).optional(),
      /** A router's longest wait for the reply of a shard to begin. */
      shard_answer_ms: z.int().min(100).max(86_400_000).optional(),
      /** Pauses between the attempts of a callback, before a jitter of ±10 %; there is one more attempt than pauses. */
      callback_retry_seconds: z.array(z.number().positive().max(259_200)).min(1).max(50).optional(),
    })
    .optional(),
})
type ConfigFile = z.infer<typeof configFileSchema>

/**
 * Reads the configuration of this process from environment variables and the file in SKILLRUN_CONFIG. Throws a Fault that
 * names the variable, its value and the allowed values.
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
    trustedProxies: trustedProxiesOf(env),
    dataFolder,
    privatePaths: [...dataFolders, ...(configPath ? [resolve(workingFolder, configPath)] : [])],
    python: env['SKILLRUN_PYTHON'] || undefined,
    role: oneOf(env, 'SKILLRUN_ROLE', ['all', 'api', 'worker', 'router'] as const),
    shards: env['SKILLRUN_ROLE'] === 'router' ? shardsOf(env) : undefined,
    workerPort: env['SKILLRUN_WORKER_PORT']
      ? wholeNumber(env, 'SKILLRUN_WORKER_PORT', { fallback: 0, min: 0, max: 65_535 })
      : undefined,
    databaseUrl: databaseUrlOf(env),
    allowLossy: oneOf(env, 'SKILLRUN_ALLOW_LOSSY', ['no', 'yes'] as const) === 'yes',
    allowsMixedModels: oneOf(env, 'SKILLRUN_ALLOW_MIXED_MODELS', ['no', 'yes'] as const) === 'yes',
    warmsChildren: oneOf(env, 'SKILLRUN_WARM', ['yes', 'no'] as const) === 'yes',
    apiKey: apiKeyOf(env),
    firstAdmin: firstAdminOf(env),
    oidc: readOidcSettings(env),
    secretKeys: secretKeysIn(env),
    callbackSecret: callbackSecretOf(env),
    slots: slotsOf(env['SKILLRUN_SLOTS']),
    allowPrivate: env['SKILLRUN_ALLOW_PRIVATE'] ?? '',
    s3Url: env['SKILLRUN_S3_URL'] || undefined,
    file,
    providers: providersOf(file, env),
    tracesUrl: otlpUrlOf(env, 'traces'),
    logsUrl: otlpUrlOf(env, 'logs'),
    ollama: ollamaOf(env),
  })
}

/** The endpoint of a signal from OpenTelemetry's variables: its own, or a base for all signals to which the path is added. */
function otlpUrlOf(env: Environment, signal: 'traces' | 'logs'): string | undefined {
  const ownName = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  const name = env[ownName] ? ownName : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const text = env[name]
  if (!text) return undefined
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw bad(name, text, 'an address such as http://127.0.0.1:4318')
  return name === ownName ? text : `${text.replace(/\/$/, '')}/v1/${signal}`
}

/** Searches for Ollama only on this machine, with a short timeout, unless OLLAMA_BASE_URL names its address; `off` disables it. */
function ollamaOf(env: Environment): OllamaPlace | null {
  const place = env['OLLAMA_BASE_URL']
  if (place === 'off') return null
  if (place && (!/^https?:\/\//.test(place) || !URL.canParse(place)))
    throw bad('OLLAMA_BASE_URL', place, 'an address such as http://127.0.0.1:11434, or off')
  // Ollama silently drops tokens beyond its context, so the limit must match its own setting (default 4096).
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
  // The value is not repeated, because it may contain a password.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw bad('DATABASE_URL', '(not shown)', 'an address such as postgres://user:password@host:5432/database')
  return text
}

function publicUrlOf(env: Environment): string | undefined {
  const text = env['SKILLRUN_PUBLIC_URL']
  if (!text) return undefined
  const url = URL.parse(text)
  // The path of a shard behind a router, or none.
  const path = url?.pathname.replace(/\/$/, '') ?? ''
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}${url.pathname}` !== url.href || !isShardPath(path))
    throw bad(
      'SKILLRUN_PUBLIC_URL',
      text,
      'a scheme and a host, such as https://skillrun.example.com, behind a router with /shards/NAME',
    )
  return url.origin + path
}

const isShardPath = (path: string): boolean => path === '' || /^\/shards\/[a-z0-9][a-z0-9-]{0,29}$/.test(path)

function trustedProxiesOf(env: Environment): BlockList {
  const text = env['SKILLRUN_TRUSTED_PROXIES'] ?? ''
  const blocks = parseAddressBlocks(text)
  if (!blocks) throw bad('SKILLRUN_TRUSTED_PROXIES', text, 'addresses and networks such as 10.0.0.5,10.1.0.0/16')
  return blocks
}

function shardsOf(env: Environment): readonly [Shard, ...Shard[]] {
  const text = env['SKILLRUN_SHARDS'] ?? ''
  const shards = parseShards(text)
  if (!shards)
    throw bad(
      'SKILLRUN_SHARDS',
      text,
      'names and addresses such as a=http://10.0.0.1:8080,b=http://10.0.0.2:8080, each name once',
    )
  return shards
}

function apiKeyOf(env: Environment): string | undefined {
  const text = env['SKILLRUN_API_KEY']
  if (!text) return undefined
  if (!/^[\x21-\x7e]{16,200}$/.test(text))
    throw bad('SKILLRUN_API_KEY', '(not shown)', '16 to 200 printable ASCII characters without spaces')
  return text
}

function firstAdminOf(env: Environment): Config['firstAdmin'] {
  const email = env['SKILLRUN_ADMIN_EMAIL']
  if (!email) return undefined
  if (!/^[^\s@"<>]{1,64}@[^\s@"<>]{1,189}$/.test(email)) throw bad('SKILLRUN_ADMIN_EMAIL', email, 'an email address')
  const password = env['SKILLRUN_ADMIN_PASSWORD'] ?? ''
  const why = weakness(password, email.toLowerCase())
  if (why !== undefined) throw bad('SKILLRUN_ADMIN_PASSWORD', '(not shown)', `a good password: ${why}`)
  return { email, password }
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
