import type {
  Callback,
  AgentExecutionResponse as Execution,
  ResumedExecutions,
  ResumeExecutionsRequest,
} from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { durationText } from '@skillrun/core/figures.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { addFilterOptions, type FilterOptions, filterOf } from '../execution-filters.ts'
import { readJsonFile } from '../local-json.ts'
import type { ServiceTier } from '../options.ts'
import { printable, renderDollars, renderJson, renderMoment, renderTable } from '../render.ts'
import { followExecution, reportOutcome } from '../report.ts'
import { addSavedFilterOption, savedQueryOf } from '../saved-filters/saved-filters.ts'
import type { Terminal } from '../terminal.ts'

/** Actions on an execution and details of its run: subcommands of `skillrun executions`. */
export function addExecutionActs(executions: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  addMove(executions, { verb: 'cancel', description: 'cancel an execution' })
  addMove(executions, { verb: 'pause', description: 'pause an execution after its current step' })
  addResume(executions, terminal, setExitCode)
  addRerun(executions, terminal, setExitCode)
  addSteps(executions)
  addCallbacks(executions, terminal, 'executions')
}

interface Move {
  readonly verb: 'cancel' | 'pause'
  readonly description: string
}

function addMove(executions: Command, { verb, description }: Move): void {
  executions
    .command(`${verb} <ID>`)
    .description(description)
    .examples(`skillrun executions ${verb} 0192f0c1-…`)
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      showMoved(await client.executions[verb](id), command)
    })
}

function showMoved(execution: Execution, command: Command): void {
  command.print(execution, () => `execution ${printable(execution.id)} is ${printable(execution.status)}\n`)
}

interface ResumeOptions extends FilterOptions {
  readonly maxCost?: number
  readonly all?: boolean
  readonly filter?: string
}

function addResume(executions: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  addSavedFilterOption(addFilterOptions(executions.command('resume [IDS...]'), ['paused', 'failed']))
    .description(
      'resume executions that are paused, or that failed because of a provider, a timeout or crashed workers',
    )
    .option('--max-cost <DOLLARS>', 'new maximum total cost; only with a single execution', dollars)
    .option('--all', 'all resumable executions, at most 1,000 per call')
    .examples(
      'skillrun executions resume 0192f0c1-…',
      'skillrun executions resume 0192f0c1-… --max-cost 0.50',
      'skillrun executions resume --status failed --after 2026-11-21',
      'skillrun executions resume --all',
    )
    .action(async (ids: readonly string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ResumeOptions>()
      const { maxCost, json } = options
      const given = filterOf(options)
      const isFiltered = options.all === true || options.filter !== undefined || Object.keys(given).length > 0
      if (ids.length > 0 === isFiltered)
        throw new Fault(
          'invalid',
          'bad_arguments',
          'Give the ids of executions, filters such as --status failed, or --all',
        )
      if (maxCost !== undefined && ids.length !== 1)
        throw new Fault('invalid', 'bad_arguments', '--max-cost needs the id of a single execution')
      const client = await command.connect()
      const [id] = ids
      if (id !== undefined && ids.length === 1) {
        const body = maxCost === undefined ? {} : { max_cost_dollars: maxCost }
        return showMoved(await client.executions.resume(id, body), command)
      }
      const filter = { ...(await savedQueryOf(client, options)), ...given }
      const done = await client.executions.resumeMany((isFiltered ? { filter } : { ids }) as ResumeExecutionsRequest)
      if (json) terminal.print(renderJson(done))
      else
        terminal.print(`${done.resumed} resumed, ${done.refused.length} refused\n${done.refused.map(lineOf).join('')}`)
      if (done.refused.length > 0) setExitCode(1)
    })
}

const lineOf = ({ id, reason }: ResumedExecutions['refused'][number]): string =>
  `${printable(id)}: ${printable(reason)}\n`

/** Parses an amount in dollars. */
export function dollars(text: string): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new Fault('invalid', 'bad_dollars', `${text} is not an amount in dollars, such as 0.50`)
}

interface RerunOptions extends GlobalOptions {
  readonly prompt?: string
  readonly model?: string
  readonly tier?: ServiceTier
  readonly schema?: string
  readonly config?: string
  readonly wait?: boolean
}

function addRerun(executions: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  executions
    .command('rerun <ID>')
    .description('run the request of an execution again as a new execution; options replace parts of the request')
    .option('-p, --prompt <TEXT>', 'another prompt')
    .option('--model <MODEL>', 'another model')
    .option('--tier <TIER>', 'another tier')
    .option('--schema <FILE>', 'another JSON Schema of the response')
    .option('--config <FILE>', 'replace fields of the configuration, as a JSON object')
    .option('--wait', 'wait for the end and print only the response, as "execute" does')
    .examples(
      'skillrun executions rerun 0192f0c1-…',
      'skillrun executions rerun 0192f0c1-… --tier flex --model svc-agent-2:pro',
      'skillrun executions rerun 0192f0c1-… --schema better.schema.json --wait',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const { prompt, model, tier, schema, config: more, json, wait } = command.optsWithGlobals<RerunOptions>()
      const read = (name: string, what: string) => readJsonFile(name, terminal, what)
      const config = {
        ...(more === undefined ? {} : await read(more, 'configuration')),
        ...(prompt ? { prompt } : {}),
        ...(tier ? { service_tier: tier } : {}),
        ...(schema === undefined ? {} : { json_schema: await read(schema, 'schema') }),
      }
      const client = await command.connect()
      const body = { ...(model ? { model } : {}), ...(Object.keys(config).length > 0 ? { config } : {}) }
      const made = await client.executions.rerun(id, body)
      if (!wait) return terminal.print(json ? renderJson(made) : `${printable(made.id)}\n`)
      const ended = await followExecution(made, { client, terminal, timeoutMs: undefined })
      setExitCode(reportOutcome(ended, { terminal, record: json === true }))
    })
}

function addSteps(executions: Command): void {
  executions
    .command('steps <ID>')
    .description('show the steps of an execution, with time and price')
    .examples('skillrun executions steps 0192f0c1-…', 'skillrun executions steps 0192f0c1-… --json')
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const steps = await client.executions.steps(id)
      command.printTable(steps, ['#', 'KIND', 'NAME', 'TOOK', 'COST'], (step) => [
        String(step.seq),
        step.kind,
        step.name,
        durationText(Date.parse(step.ended_at) - Date.parse(step.started_at)),
        renderDollars(step.cost_dollars),
      ])
    })
}

/** Callbacks of an execution or a batch: subcommands that list them, and send one again. */
export function addCallbacks(group: Command, terminal: Terminal, noun: 'executions' | 'batches'): void {
  const owner = { executions: 'an execution', batches: 'a batch' }[noun]
  group
    .command('callbacks <ID>')
    .description(`list the callbacks of ${owner} and their delivery attempts`)
    .examples(`skillrun ${noun} callbacks 0192f0c1-…`, `skillrun ${noun} redeliver 0192f0c1-… 1`)
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const found = await client[noun].callbacks(id)
      if (command.isJson) return terminal.print(renderJson(found))
      terminal.print(
        renderTable(['N', 'EVENT', 'STATE', 'TRIES', 'LAST', 'URL'], found.map(callbackRow), terminal.columns),
      )
    })
  group
    .command('redeliver <ID> <N>')
    .description(`send a callback of ${owner} again`)
    .examples(`skillrun ${noun} redeliver 0192f0c1-… 1`)
    .action(async (id: string, n: string, _: unknown, command: Command) => {
      const client = await command.connect()
      const sent = await client[noun].redeliver(id, n)
      command.print(sent, () => `callback ${printable(n)} is ${printable(sent.state)}\n`)
    })
}

function callbackRow({ n, event, state, tries, url }: Callback): string[] {
  const last = tries.at(-1)
  return [
    String(n),
    event,
    state,
    String(tries.length),
    last ? `${renderMoment(last.at)} ${last.error?.message || String(last.status)}` : '-',
    url,
  ]
}
