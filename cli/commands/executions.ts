import { type Command, Option } from 'commander'
import { isJsonObject } from '../../src/kit/json.ts'
import type { Execution } from '../client.ts'
import { connect, examples, type GlobalOptions, seconds, wholeNumber } from '../options.ts'
import { renderDollars, renderFields, renderJson, renderMoment, renderTable } from '../render.ts'
import { followExecution, reportOutcome } from '../report.ts'
import type { Terminal } from '../terminal.ts'
import { addExecutionActs } from './execution-acts.ts'
import { addExecutionStory } from './execution-story.ts'

interface GetOptions extends GlobalOptions {
  readonly wait?: boolean
  readonly timeout?: number
  readonly record?: boolean
}

interface ListOptions extends GlobalOptions {
  readonly status?: string
  readonly agent?: string
  readonly tier?: string
  readonly skill?: string
  readonly session?: string
  readonly after?: string
  readonly before?: string
  readonly limit: number
  readonly skip: number
}

/** `skillrun executions`: reads records of executions. */
export function addExecutions(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  const executions = program.command('executions').description('read executions and their results')
  executions
    .command('get <ID>')
    .description('show an execution')
    .option('--wait', 'wait for its end and print its response alone, as "execute" does')
    .option('--timeout <SECONDS>', 'stop waiting after this long', seconds)
    .option('--record', 'with --wait, print the whole record instead of the response')
    .addHelpText(
      'after',
      examples(
        'skillrun executions get 0192f0c1-…',
        'skillrun executions get 0192f0c1-… --wait',
        'skillrun executions get 0192f0c1-… --json',
      ),
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GetOptions>()
      const client = await connect(command, terminal)
      const execution = await client.execution(id, terminal.signal)
      if (options.wait) {
        const ended = await followExecution(execution, { client, terminal, timeoutMs: options.timeout })
        setExitCode(reportOutcome(ended, { terminal, record: options.record === true || options.json === true }))
      } else terminal.print(options.json || options.record ? renderJson(execution) : describe(execution))
    })
  addExecutionStory(executions, terminal)
  addExecutionActs(executions, terminal, setExitCode)
  executions
    .command('list')
    .description('list executions, the newest first')
    .addOption(
      new Option('--status <STATUS>', 'only those in this state').choices([
        'pending',
        'enqueued',
        'running',
        'paused',
        'completed',
        'failed',
      ]),
    )
    .option('--agent <NAME>', 'only those of this agent')
    .addOption(new Option('--tier <TIER>', 'only those of this tier').choices(['standard', 'flex', 'priority']))
    .option('--skill <SKILL>', 'only those with this skill: its id, name, or name:version')
    .option('--session <ID>', 'only those of this session')
    .option('--after <MOMENT>', 'only those made after it, such as 2026-11-21T08:00:00Z')
    .option('--before <MOMENT>', 'only those made before it')
    .option('--limit <COUNT>', 'at most this many', wholeNumber(1, 1000), 10)
    .option('--skip <COUNT>', 'leave out this many first', wholeNumber(0), 0)
    .addHelpText(
      'after',
      examples('skillrun executions list', 'skillrun executions list --status failed --limit 50 --json'),
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const { skip, limit, status, json } = options
      const client = await connect(command, terminal)
      const query = {
        ...{ skip, limit, status, name: options.agent, service_tier: options.tier, skill_id: options.skill },
        ...{ session_id: options.session, created_after: options.after, created_before: options.before },
      }
      const found = await client.executions(query, terminal.signal)
      terminal.print(json ? renderJson(found) : tableOf(found, terminal))
    })
}

const costOf = (execution: Execution): string => {
  const cost = isJsonObject(execution['usage']) ? execution['usage']['cost_dollars'] : null
  return renderDollars(typeof cost === 'number' ? cost : null)
}

function tableOf(executions: readonly Execution[], terminal: Terminal): string {
  const rows = executions.map((each) => [each.id, each.status, renderMoment(each.created_at), costOf(each), each.name])
  return renderTable(['ID', 'STATUS', 'CREATED', 'COST', 'AGENT'], rows, terminal.columns)
}

function describe(execution: Execution): string {
  const error = isJsonObject(execution['error']) ? execution['error'] : undefined
  const fields: (readonly [string, string])[] = [
    ['id', execution.id],
    ['agent', execution.name],
    ['status', execution.status],
    ['created', renderMoment(execution.created_at)],
    ['completed', renderMoment(execution.completed_at)],
    ['cost', costOf(execution)],
  ]
  if (error) fields.push(['error', `${String(error['code'] ?? '')}: ${String(error['message'] ?? '')}`])
  const response = execution['response'] ?? null
  return renderFields(fields) + (response === null ? '' : `\n${renderJson(response)}`)
}
