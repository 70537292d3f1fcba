import type { Operations } from '@skillrun/client/openapi.ts'
import { Option } from 'commander'
import type { Command, GlobalOptions } from './command.ts'

/** Filters of executions, as command options. */
export interface FilterOptions extends GlobalOptions {
  readonly status?: string
  readonly search?: string
  readonly purpose?: string
  readonly agent?: string
  readonly clientId?: string
  readonly tier?: string
  readonly skill?: string
  readonly session?: string
  readonly batch?: string
  readonly review?: string
  readonly approval?: string
  readonly after?: string
  readonly before?: string
}

/** Adds these options to a command; `--status` accepts `statuses`. */
export const addFilterOptions = (command: Command, statuses: readonly string[]): Command =>
  command
    .addOption(new Option('--status <STATUS>', 'only executions with this status').choices(statuses))
    .option('--search <TEXT>', 'only executions with this text in agent, file names, ids, session or answer')
    .addOption(
      new Option('--purpose <PURPOSE>', 'executions for this purpose')
        .choices(['work', 'evaluation', 'shadow', 'all'])
        .default(undefined, 'work'),
    )
    .option('--agent <NAME>', 'only executions of this agent: NAME or NAME:VERSION')
    .option('--client-id <ID>', 'only the execution with this request id')
    .addOption(new Option('--tier <TIER>', 'only executions of this tier').choices(['standard', 'flex', 'priority']))
    .option('--skill <SKILL>', 'only executions with this skill: id, NAME or NAME:VERSION')
    .option('--session <ID>', 'only executions of this session')
    .option('--batch <ID>', 'only executions of this batch')
    .addOption(
      new Option('--review <STATUS>', 'only executions in the review queue, or reviewed ones').choices([
        'needed',
        'done',
      ]),
    )
    .addOption(
      new Option('--approval <STATE>', 'only executions that wait for an approval, or have one').choices([
        'needed',
        'done',
      ]),
    )
    .option('--after <MOMENT>', 'only executions created after this time, such as 2026-11-21 or 2026-11-21T08:00:00Z')
    .option('--before <MOMENT>', 'only executions created before this time')

/** Filters of executions, as query parameters. */
export type ExecutionQuery = Partial<Operations['listExecutions']['query']>

/** Converts options to query parameters. */
export function filterOf(options: FilterOptions): ExecutionQuery {
  const named = {
    status: options.status,
    q: options.search,
    purpose: options.purpose,
    name: options.agent,
    client_id: options.clientId,
    service_tier: options.tier,
    skill_id: options.skill,
    session_id: options.session,
    batch_id: options.batch,
    review: options.review,
    approval: options.approval,
    created_after: options.after,
    created_before: options.before,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as ExecutionQuery
}
