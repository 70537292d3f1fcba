import module from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { openRouter } from './adapters/shards/router.ts'
import { type BeginParts, begin } from './begin.ts'
import { type Config, readConfig } from './config.ts'
import { limits } from './core/limits.ts'
import { useOutboundProxy } from './core/outbound-proxy.ts'
import { releaseMemoryAtRest } from './core/rest.ts'
import { defaultModel } from './features/models/models.ts'
import { type OpenedLog, openLog } from './open-log.ts'
import { runSample } from './sample.ts'
import type { RunningServer } from './server.ts'

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// A closed terminal or pipe must not end the server.
process.stdout.on('error', () => undefined)

/** Milliseconds within which a second Ctrl-C counts as the same one: npm forwards the signal that the terminal also sends. */
const sameSignalMs = 1_000
/** The last milliseconds of `limits.drainMs`, reserved for closing the database. */
const closingMs = 5_000
const endingMs = 2_000

async function main(): Promise<void> {
  await useOutboundProxy(process.env)
  const config = readConfig(process.env, process.cwd())
  const opened = await openLog(config)
  const { log } = opened
  if (config.shards) return route(config.shards, config, opened)
  const parts = { config, clock: systemClock, log, onLost: (reason: unknown) => fail(reason) }
  const opening = openServer(parts)
  const stop = stopper(opening, opened)
  process.on('SIGINT', () => void stop.ask('Interrupted'))
  process.on('SIGTERM', () => void stop.ask('Asked to stop'))
  const server = await opening
  releaseMemoryAtRest()
  if (stop.isAsked()) return
  welcome(config, server)
  const key = server.firstKey ?? config.apiKey
  // With another provider the sample would cost money.
  const isFree = server.models.route(defaultModel).fixed?.kind === 'embedded'
  if (server.url !== undefined && key !== undefined && config.role === 'all' && isFree) {
    // A failed sample does not stop the server.
    await runSample({ url: server.url, key, print }).catch((error: unknown) =>
      print(`  The sample could not be run: ${error instanceof Error ? error.message : 'unknown'}\n`),
    )
  }
}

/** Begins what takes longest before the modules of the server are loaded. */
async function openServer(parts: BeginParts): Promise<RunningServer> {
  const beginning = begin(parts)
  // Until its child has been started: loading modules leaves no time for anything else.
  await beginning.begun.catch(() => undefined)
  const { startServer } = await import('./server.ts').catch(async (error: unknown) => {
    await beginning.undo(AbortSignal.abort())
    throw error
  })
  return await startServer(parts, beginning)
}

async function route(shards: NonNullable<Config['shards']>, config: Config, opened: OpenedLog): Promise<void> {
  const answerMs = config.file.limits?.shard_answer_ms ?? limits.shardAnswerMs
  const opening = openRouter({ shards, log: opened.log, answerMs }, config)
  const stop = stopper(opening, opened)
  process.on('SIGINT', () => void stop.ask('Interrupted'))
  process.on('SIGTERM', () => void stop.ask('Asked to stop'))
  const { url } = await opening
  if (!stop.isAsked())
    print(`Skillrun router ${url} for ${shards.map(({ name }) => name).join(', ')}. Ctrl-C stops it.`)
}

/** Stops the server when it has started, and ends the process. A second request stops waiting for runs. */
function stopper(
  opening: Promise<Pick<RunningServer, 'stop'>>,
  logs: OpenedLog,
): {
  ask(signal: string): Promise<void>
  isAsked(): boolean
} {
  const hurry = new AbortController()
  let askedAtMs: number | undefined
  return {
    isAsked: () => askedAtMs !== undefined,
    async ask(signal) {
      const nowMs = systemClock.monotonicMs()
      if (askedAtMs !== undefined) {
        if (nowMs - askedAtMs < sameSignalMs) return
        print('Stopping at once: what runs is handed back.')
        hurry.abort()
        return
      }
      askedAtMs = nowMs
      print(`\n${signal}: finishing what runs (at most ${limits.drainMs / 1000} s) …`)
      // Write the compile cache now: at the very end there may be no time for it.
      module.flushCompileCache()
      const server = await opening.catch(() => undefined)
      const deadline = AbortSignal.any([AbortSignal.timeout(limits.drainMs - closingMs), hurry.signal])
      const stopAll = async () => {
        await server?.stop(deadline)
        await logs.close()
      }
      await Promise.race([stopAll(), pause(limits.drainMs - endingMs)])
      print('Stopped.')
      process.exit(0)
    },
  }
}

function welcome(config: Config, { url, firstKey, models }: RunningServer): void {
  if (config.role === 'worker') {
    print(`Skillrun worker is at work (slots: ${slotsText(config)}). Ctrl-C stops it.`)
    if (url !== undefined) print(`  Metrics      ${url}/metrics`)
    return
  }
  print(`\n  Skillrun     ${url}`)
  if (firstKey !== null)
    print(
      `  API key      ${firstKey}\n               shown this once; keep it, or set SKILLRUN_API_KEY and start again`,
    )
  print(`  Console      ${url}/`)
  print(`  API          ${url}/docs/api  (${url}/openapi.json)`)
  print(
    `  Data         ${config.dataFolder}${config.databaseUrl === undefined ? ' (embedded PostgreSQL)' : ' and DATABASE_URL'}`,
  )
  const engines = Map.groupBy(models.routes, (route) => route.engine)
  for (const [engine, routes] of engines) {
    const what = engine === 'embedded' ? 'embedded engine (rules, no language model)' : engine
    print(`  Models       ${shortNames(routes.map((route) => route.model))}  →  ${what}`)
  }
  if (config.role === 'all') print(`  Slots        ${slotsText(config)}`)
  print('')
}

/** Model identifiers with the variants of one family together: `svc-agent-1[:auto|:fast]`. */
function shortNames(names: readonly string[]): string {
  const families = Map.groupBy(names, (name) => name.split(':')[0] ?? name)
  return [...families]
    .map(([family, members]) => {
      const levels = members.map((name) => name.slice(family.length))
      return levels.length === 1 ? family + levels[0] : `${family}[${levels.filter(Boolean).join('|')}]`
    })
    .join(', ')
}

const slotsText = (config: Config): string =>
  Object.entries(config.slots)
    .map(([tier, count]) => `${tier}=${count}`)
    .join(', ')

function fail(error: unknown): never {
  const sentence = error instanceof Fault ? error.message : listenSentence(error)
  const message = sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.stderr.write(`skillrun: ${message}\n`)
  process.exit(1)
}

/** Why the server cannot listen on its address; undefined for any other error. */
function listenSentence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const {
    code,
    port = '',
    address,
    hostname,
  } = error as NodeJS.ErrnoException & {
    port?: number
    address?: string
    hostname?: string
  }
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program; set PORT to a free one, or 0 for any.`
  if (code === 'EACCES' && port !== '')
    return `PORT ${port} is not open to this user; set PORT to one from 1024 to 65535, or 0 for any.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST is ${JSON.stringify(address ?? hostname ?? '')}, but should be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`
  return undefined
}

await main().catch(fail)
