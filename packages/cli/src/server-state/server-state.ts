import { pause } from '@skillrun/client/http.ts'
import type { Queues, Session, Settings, Tool } from '@skillrun/client/openapi.ts'
import type { Command } from '../command.ts'
import { wholeNumber } from '../options.ts'
import { renderDollars, renderJson, renderMoment, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun top`, `settings`, `tools` and `sessions`: what the server is doing, and its configuration. */
export function addServerState(program: Command, terminal: Terminal): void {
  addTop(program, terminal)
  addSettings(program, terminal)
  addTools(program)
  addSessions(program)
}

function addTop(program: Command, terminal: Terminal): void {
  program
    .command('top')
    .description(
      'show what waits, runs and stalls by tier, and the workers with their slots, again every two seconds (requires an admin key)',
    )
    .option('--once', 'show it once, as where the output is no terminal')
    .option('--live', 'show it again and again until Ctrl-C also where the output is no terminal')
    .examples('skillrun top', 'skillrun top --once', 'skillrun top --json')
    .action(async ({ once, live }: { once?: boolean; live?: boolean }, command: Command) => {
      const client = await command.connect()
      const look = () => client.call<Queues>('/v1/queues')
      if (command.isJson) return terminal.print(renderJson(await look()))
      if (!live && (once || terminal.columns === undefined)) return terminal.print(renderQueues(await look(), terminal))
      for (;;) {
        const shown = renderQueues(await look(), terminal)
        const at = renderMoment(terminal.clock.now().toISOString())
        terminal.print(`${toTop}${shown.replaceAll('\n', `${clearLine}\n`)}\n${at}, Ctrl-C ends${clearBelow}`)
        await pause(pollMs, terminal.signal)
      }
    })
}

const pollMs = 2_000
const [toTop, clearLine, clearBelow] = ['\u001b[H', '\u001b[K', '\u001b[J']

function renderQueues({ tiers, workers }: Queues, { columns }: Terminal): string {
  const rows = tiers.map((one) => [
    one.tier,
    ...[one.slots, one.waiting, one.running, one.paused, one.stalled, one.retried].map(String),
    renderMoment(one.oldest_waiting_at),
  ])
  const headings = ['TIER', 'SLOTS', 'WAITING', 'RUNNING', 'PAUSED', 'STALLED', 'RETRIED', 'OLDEST WAITING']
  const queues = renderTable(headings, rows, columns)
  if (!workers) return queues
  const processes = workers.map(({ host, pid, started_at, slots }) => [
    `${host} ${pid}`,
    renderMoment(started_at),
    slots ? tiers.map(({ tier }) => `${tier}=${slots[tier] ?? 0}`).join(' ') : '-',
  ])
  return `${queues}\n${renderTable(['PROCESS', 'STARTED', 'SLOTS'], processes, columns)}`
}

function addSettings(program: Command, terminal: Terminal): void {
  program
    .command('settings')
    .description('show the limits of the server, and its models with their prices')
    .examples('skillrun settings', 'skillrun settings --json')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const found = await client.call<Settings>('/v1/settings')
      if (command.isJson) return terminal.print(renderJson(found))
      const limits = Object.entries(found.limits).map(([name, value]) => [name, value === null ? 'none' : `${value}`])
      terminal.print(renderTable(['LIMIT', 'VALUE'], limits, terminal.columns))
      const models = found.models.map(({ model, engine, price }) => [
        model,
        engine,
        price ? `${renderDollars(price.input)} / ${renderDollars(price.output)}` : '-',
      ])
      terminal.print(`\n${renderTable(['MODEL', 'ENGINE', 'PER MILLION IN / OUT'], models, terminal.columns)}`)
    })
}

function addTools(program: Command): void {
  program
    .command('tools')
    .description('list the tools that executions can be given')
    .examples('skillrun tools', 'skillrun tools --json')
    .action(async (_: unknown, command: Command) => {
      const client = await command.connect()
      const found = await client.call<readonly Tool[]>('/v1/tools')
      command.printTable(found, ['TOOL', 'PER CALL', 'WHAT IT DOES'], (one) => [
        one.name,
        renderDollars(one.dollars_per_call),
        one.description,
      ])
    })
}

function addSessions(program: Command): void {
  program
    .command('sessions')
    .description('list the sessions of executions and chats, the newest first')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 20)
    .option('--skip <COUNT>', 'number to skip', wholeNumber(0), 0)
    .examples('skillrun sessions', 'skillrun sessions --limit 100 --json')
    .action(async ({ limit, skip }: { limit: number; skip: number }, command: Command) => {
      const client = await command.connect()
      const found = await client.call<readonly Session[]>('/v1/sessions', { query: { limit, skip } })
      command.printTable(found, ['SESSION', 'EXECUTIONS', 'NEWEST', 'CHANGED'], (one) => [
        one.id,
        String(one.executions),
        one.name,
        renderMoment(one.updated_at),
      ])
    })
}
