import type { Operations } from '@skillrun/client/openapi.ts'
import { type Command, Option } from 'commander'
import type { GlobalOptions } from './options.ts'

/** Filters of executions, as command options. */
export interface FilterOptions extends GlobalOptions {
  readonly status?: string
  readonly search?: string
  readonly origin?: string
  readonly agent?: string
  readonly clientId?: string
  readonly tier?: string
  readonly skill?: string
  readonly session?: string
  readonly after?: string
  readonly before?: string
}

/** Adds these options to a command; `--status` accepts `statuses`. */
export const addFilterOptions = (command: Command, statuses: readonly string[]): Command =>
  command
    .addOption(new Option('--status <STATUS>', 'only executions with this status').choices(statuses))
    .option('--search <TEXT>', 'only executions with this text in agent, file names, ids, session or answer')
    .addOption(
      new Option('--origin <ORIGIN>', 'only executions of this origin').choices(['work', 'evaluation', 'shadow']),
    )
    .option('--agent <NAME>', 'only executions of this agent: NAME or NAME:VERSION')
    .option('--client-id <ID>', 'only the execution with this request id')
    .addOption(new Option('--tier <TIER>', 'only executions of this tier').choices(['standard', 'flex', 'priority']))
    .option('--skill <SKILL>', 'only executions with this skill: id, NAME or NAME:VERSION')
    .option('--session <ID>', 'only executions of this session')
    .option('--after <MOMENT>', 'only executions created after this time, such as 2026-11-21 or 2026-11-21T08:00:00Z')
    .option('--before <MOMENT>', 'only executions created before this time')

/** Filters of executions, as query parameters. */
export type ExecutionQuery = Partial<Operations['listExecutions']['query']>

/** Converts options to query parameters. */
export function filterOf(options: FilterOptions): ExecutionQuery {
  const named = {
    status: options.status,
    search: options.search,
    origin: options.origin,
    name: options.agent,
    client_id: options.clientId,
    service_tier: options.tier,
    skill_id: options.skill,
    session_id: options.session,
    created_after: options.after,
    created_before: options.before,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as ExecutionQuery
}
