import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import { type Command, Option } from 'commander'
import { connect, examples, type GlobalOptions } from '../options.ts'
import { renderDollars, renderDuration, renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

interface UsageOptions extends GlobalOptions {
  readonly by?: string
  readonly from?: string
  readonly to?: string
}

/** `skillrun usage`: what was used and what it cost. */
export function addUsage(program: Command, terminal: Terminal): void {
  program
    .command('usage')
    .description('show number, duration and cost of executions')
    .addOption(new Option('--by <DIMENSION>', 'group by it').choices(['day', 'key', 'skill', 'model', 'tier']))
    .option('--from <DATE>', 'start date or time (default: 30 days before the end)')
    .option('--to <DATE>', 'end date or time (default: now)')
    .addHelpText(
      'after',
      examples('skillrun usage', 'skillrun usage --by tier --from 2026-11-01', 'skillrun usage --by day --json'),
    )
    .action(async (_: unknown, command: Command) => {
      const { by, from, to, json } = command.optsWithGlobals<UsageOptions>()
      const client = await connect(command, terminal)
      const given = Object.entries({ group_by: by, from, to }).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
      const usage = await client.call<JsonObject>({ method: 'GET', path: `/v1/usage?${query}` }, terminal.signal)
      terminal.print(json ? renderJson(usage) : tableOf(usage, by, terminal))
    })
}

function tableOf(usage: JsonObject, by: string | undefined, terminal: Terminal): string {
  const total = isJsonObject(usage['total']) ? usage['total'] : {}
  const groups = Array.isArray(usage['groups']) ? usage['groups'].filter(isJsonObject) : []
  const rows = [...groups.map((group) => rowOf(String(group['key'] || '-'), group)), rowOf('all', total)]
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

function rowOf(name: string, figures: JsonObject): string[] {
  const number = (field: string): number | null => (typeof figures[field] === 'number' ? figures[field] : null)
  const time = (field: string): string => (number(field) === null ? '-' : renderDuration(number(field) ?? 0))
  return [
    name,
    String(number('executions') ?? 0),
    renderDollars(number('cost_dollars')),
    renderDollars(number('savings_dollars')),
    String(number('input_tokens') ?? 0),
    String(number('output_tokens') ?? 0),
    time('latency_p50_ms'),
    time('latency_p95_ms'),
  ]
}
