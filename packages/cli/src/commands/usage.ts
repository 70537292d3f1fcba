import type { Operations, Usage } from '@skillrun/client/openapi.ts'
import { durationText } from '@skillrun/core/figures.ts'
import { Option } from 'commander'
import type { Command, GlobalOptions } from '../command.ts'
import { renderDollars, renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

interface UsageOptions extends GlobalOptions {
  readonly by?: NonNullable<Operations['getUsage']['query']['group_by']>
  readonly from?: string
  readonly to?: string
}

/** `skillrun usage`: usage and cost. */
export function addUsage(program: Command, terminal: Terminal): void {
  program
    .command('usage')
    .description('show number, duration and cost of executions')
    .addOption(new Option('--by <DIMENSION>', 'group by it').choices(['day', 'key', 'skill', 'model', 'tier']))
    .option('--from <DATE>', 'start date or time (default: 30 days before the end)')
    .option('--to <DATE>', 'end date or time (default: now)')
    .examples('skillrun usage', 'skillrun usage --by tier --from 2026-11-01', 'skillrun usage --by day --json')
    .action(async (_: unknown, command: Command) => {
      const { by, from, to, json } = command.optsWithGlobals<UsageOptions>()
      const client = await command.connect()
      const usage = await client.call<Usage>('/v1/usage', { query: { group_by: by, from, to } })
      terminal.print(json ? renderJson(usage) : tableOf(usage, by, terminal))
    })
}

function tableOf({ total, groups }: Usage, by: string | undefined, terminal: Terminal): string {
  const rows = [...groups.map((group) => rowOf(group.key || '-', group)), rowOf('all', total)]
  const headings = [
    (by ?? '').toUpperCase(),
    'EXECUTIONS',
    'COST',
    'SAVED',
    'TOKENS IN',
    'TOKENS OUT',
    'MEDIAN',
    '95 %',
  ]
  return renderTable(headings, rows, terminal.columns)
}

const timeOf = (ms: number | null): string => (ms === null ? '-' : durationText(ms))

const rowOf = (name: string, figures: Usage['total']): string[] => [
  name,
  String(figures.executions),
  renderDollars(figures.cost_dollars),
  renderDollars(figures.savings_dollars),
  String(figures.input_tokens),
  String(figures.output_tokens),
  timeOf(figures.latency_p50_ms),
  timeOf(figures.latency_p95_ms),
]
