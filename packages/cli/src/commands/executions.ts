import type { AgentExecutionResponse as Execution } from '@skillrun/client/openapi.ts'
import { addCapsule, addImport } from '../capsules/capsules.ts'
import type { Client } from '../client.ts'
import type { Command, GlobalOptions } from '../command.ts'
import { addFilterOptions, type ExecutionQuery, type FilterOptions, filterOf } from '../execution-filters.ts'
import { seconds, wholeNumber } from '../options.ts'
import { renderDollars, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import { followExecution, reportOutcome } from '../report.ts'
import { addSavedFilterOption, addSavedFilters, savedQueryOf } from '../saved-filters/saved-filters.ts'
import type { Terminal } from '../terminal.ts'
import { addExecutionActs } from './execution-acts.ts'
import { addExecutionStory } from './execution-story.ts'
import { followList, lookedAtMax } from './follow-list.ts'
import { addPage } from './pages.ts'

interface GetOptions extends GlobalOptions {
  readonly wait?: boolean
  readonly timeout?: number
  readonly record?: boolean
}

interface ListOptions extends FilterOptions {
  readonly limit: number
  readonly skip: number
  readonly follow?: boolean
  readonly filter?: string
}

const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed']

/** `skillrun executions`: reads executions. */
export function addExecutions(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  const executions = program
    .command('executions')
    .description('read executions and their results')
    .examples('skillrun executions list --status failed', 'skillrun executions get 0192f0c1-… --wait')
  executions
    .command('get <ID>')
    .description('show an execution')
    .option('--wait', 'wait for the end and print only the response, as "execute" does')
    .option('--timeout <SECONDS>', 'stop waiting after this time', seconds)
    .option('--record', 'with --wait, print the complete execution instead of the response')
    .examples(
      'skillrun executions get 0192f0c1-…',
      'skillrun executions get 0192f0c1-… --wait',
      'skillrun executions get 0192f0c1-… --json',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GetOptions>()
      const client = await command.connect()
      const execution = await client.executions.get(id)
      if (options.wait) {
        const ended = await followExecution(execution, { client, terminal, timeoutMs: options.timeout })
        setExitCode(reportOutcome(ended, { terminal, record: options.record === true || options.json === true }))
      } else terminal.print(options.json || options.record ? renderJson(execution) : describe(execution))
    })
  addExecutionStory(executions, terminal)
  addCapsule(executions, terminal)
  addImport(executions, terminal)
  addPage(executions, terminal, 'executions')
  addExecutionActs(executions, terminal, setExitCode)
  addSavedFilters(executions, statuses)
  addSavedFilterOption(addFilterOptions(executions.command('list'), statuses))
    .description('list executions, newest first')
    .option('--limit <COUNT>', 'maximum number to list', wholeNumber(1, 1000), 10)
    .option('--skip <COUNT>', 'number to skip', wholeNumber(0), 0)
    .option('--follow', 'keep running: print each execution that is created or changes its state, until Ctrl-C')
    .examples(
      'skillrun executions list',
      'skillrun executions list --status failed --limit 50 --json',
      'skillrun executions list --filter "Failed invoices"',
      'skillrun executions list --follow',
      'skillrun executions list --follow --status failed --json | jq .error.message',
    )
    .addHelpText('after', '\nWith --follow the newest come last; with --json each is one line.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const { skip, limit, json } = options
      const client = await command.connect()
      const query = { skip, limit, ...(await savedQueryOf(client, options)), ...filterOf(options) }
      if (options.follow) return await follow({ client, terminal, query, count: limit, json: json === true })
      const { executions: found } = await client.executions.page(query)
      terminal.print(json ? renderJson(found) : tableOf(found, terminal))
    })
}

/** Prints the newest executions, then changes until the signal. */
async function follow(of: {
  readonly client: Client
  readonly terminal: Terminal
  readonly query: ExecutionQuery
  readonly count: number
  readonly json: boolean
}): Promise<void> {
  const { client, terminal, query, count, json } = of
  const { executions: known } = await client.executions.page({ ...query, limit: Math.max(count, lookedAtMax) })
  const shown = known.slice(0, count).toReversed()
  const line = (each: Execution) => `${JSON.stringify(each)}\n`
  terminal.print(json ? shown.map(line).join('') : tableOf(shown, terminal, followedWidth))
  for await (const changed of followList(known, { client, query, terminal }))
    terminal.print(json ? changed.map(line).join('') : tableOf(changed, terminal, followedWidth).replace(/^.*\n/, ''))
}

/** Fixed widths of columns with varying content, so that later rows align with the first ones. */
const followedWidth = 9

const costOf = ({ usage }: Execution): string => renderDollars(usage?.cost_dollars ?? null)

function tableOf(executions: readonly Execution[], terminal: Terminal, width = 0): string {
  const rows = executions.map((each) => [
    ...[each.id, each.status.padEnd(width), renderMoment(each.created_at)],
    ...[costOf(each).padEnd(width), each.name],
  ])
  const headings = ['ID'.padEnd(width && 36), 'STATUS', 'CREATED', 'COST', 'AGENT']
  return renderTable(headings, rows, terminal.columns)
}

/** The fields that an engine answered on the cheapest path, and what its calls cost. */
function onPath({ fields, engines, checked }: NonNullable<Execution['path']>, engine: string): string {
  const answered = Object.keys(fields).filter((field) => fields[field] === engine)
  const { standard_cost_dollars: cost } = engines[engine] ?? {}
  const price = cost === undefined ? '' : ` (${renderDollars(cost)})`
  return `${answered.join(', ')}${price}${checked ? ', to check the others' : ''}`
}

function describe(execution: Execution): string {
  const { client_id: clientId, error, response = null, execution_modes: modes, path } = execution
  const fields: (readonly [string, string])[] = [
    ['id', execution.id],
    ['agent', execution.name],
    ...(clientId ? [['request id', clientId] as const] : []),
    ['status', execution.status],
    ['created', renderMoment(execution.created_at)],
    ['completed', renderMoment(execution.completed_at)],
    ['cost', costOf(execution)],
  ]
  const answeredBy = (mode: string) =>
    Object.entries(modes ?? {}).flatMap(([field, by]) => (by === mode ? [field] : []))
  const modeNames = { program: 'by program', kept: 'kept', agent: 'by an agent' }
  for (const [mode, title] of Object.entries(modeNames)) {
    const answered = answeredBy(mode)
    if (answered.length > 0) fields.push([title, answered.join(', ')])
  }
  if (path)
    for (const engine of new Set(Object.values(path.fields))) fields.push([`by ${engine}`, onPath(path, engine)])
  if (error) fields.push(['error', `${error.code}: ${error.message}`])
  return renderFields(fields) + (response === null ? '' : `\n${renderJson(response)}`)
}
