import module from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { pino, stdSerializers } from 'pino'
import { type Config, readConfig } from './config.ts'
import { limits } from './core/limits.ts'
import type { Log } from './core/log.ts'
import { defaultModel } from './features/models/models.ts'
import { runSample } from './sample.ts'
import { type House, startHouse } from './server.ts'

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// A terminal or pipe that went away must not take the server with it.
process.stdout.on('error', () => undefined)

/** Through npm one Ctrl-C reaches us twice: from the terminal, and from npm. */
const sameWishMs = 1_000
/** The last seconds of `limits.drainMs` are for closing the database, and the very last for the end of the process itself. */
const closingMs = 5_000
const endingMs = 2_000

async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  const log = pino(
    { level: config.logLevel, serializers: { error: stdSerializers.err } },
    pino.destination({ dest: 2, sync: true }),
  ) as Log
  const opening = startHouse({ config, clock: systemClock, log, onLost: (reason) => fail(reason) })
  const stop = stopper(opening)
  process.on('SIGINT', () => void stop.ask('Interrupted'))
  process.on('SIGTERM', () => void stop.ask('Asked to stop'))
  const house = await opening
  if (stop.isAsked()) return
  welcome(config, house)
  const key = house.firstKey ?? config.apiKey
  // Where a provider answers, a sample would be somebody's money.
  const isFree = house.models.route(defaultModel).fixed?.kind === 'embedded'
  if (house.url !== undefined && key !== undefined && config.role === 'all' && isFree) {
    // The server stands without its sample.
    await runSample({ url: house.url, key, say }).catch((error: unknown) =>
      say(`  The sample could not be run: ${error instanceof Error ? error.message : 'unknown'}\n`),
    )
  }
}

/** Stops the house once it is open, and ends the process. Asked again, it waits for no run any more. */
function stopper(opening: Promise<House>): { ask(signal: string): Promise<void>; isAsked(): boolean } {
  const hurry = new AbortController()
  let askedAtMs: number | undefined
  return {
    isAsked: () => askedAtMs !== undefined,
    async ask(signal) {
      const nowMs = systemClock.monotonicMs()
      if (askedAtMs !== undefined) {
        if (nowMs - askedAtMs < sameWishMs) return
        say('Stopping at once: what runs is handed back.')
        hurry.abort()
        return
      }
      askedAtMs = nowMs
      say(`\n${signal}: finishing what runs (at most ${limits.drainMs / 1000} s) …`)
      // What was compiled is kept now, not in the last moment: on a busy machine it takes seconds.
      module.flushCompileCache()
      const house = await opening.catch(() => undefined)
      const patience = AbortSignal.any([AbortSignal.timeout(limits.drainMs - closingMs), hurry.signal])
      await Promise.race([house?.stop(patience), pause(limits.drainMs - endingMs)])
      say('Stopped.')
      process.exit(0)
    },
  }
}

function welcome(config: Config, { url, firstKey, models }: House): void {
  if (config.role === 'worker') {
    say(`Skillrun worker is at work (slots: ${slotsText(config)}). Ctrl-C stops it.`)
    if (url !== undefined) say(`  Metrics      ${url}/metrics`)
    return
  }
  say(`\n  Skillrun     ${url}`)
  if (firstKey !== null)
    say(`  API key      ${firstKey}\n               shown this once; keep it, or set SKILLRUN_API_KEY and start again`)
  say(`  Console      ${url}/`)
  say(`  API          ${url}/docs  (${url}/openapi.json)`)
  say(
    `  Data         ${config.dataFolder}${config.databaseUrl === undefined ? ' (embedded PostgreSQL)' : ' and DATABASE_URL'}`,
  )
  const engines = Map.groupBy(models.routes, (route) => route.engine)
  for (const [engine, routes] of engines) {
    const what = engine === 'embedded' ? 'embedded engine (rules, no language model)' : engine
    say(`  Models       ${shortNames(routes.map((route) => route.model))}  →  ${what}`)
  }
  if (config.role === 'all') say(`  Slots        ${slotsText(config)}`)
  say('')
}

/** Model identifiers with those of one family together: `svc-agent-1[:auto|:fast]`. */
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
  const told = sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.stderr.write(`skillrun: ${told}\n`)
  process.exit(1)
}

/** Why the server cannot listen where it was told to; undefined for any other error. */
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
