import { useMemo } from 'preact/hooks'
import { dollars, duration } from '../format.ts'
import { useLoaded } from '../live.ts'
import { Facts } from '../parts/facts.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import type { Series } from '../parts/plot.tsx'
import { TableHead } from '../parts/table.tsx'
import { go, useHere } from '../router.tsx'
import type { Key, Usage } from '../wire.ts'
import { Chart } from './chart.tsx'
import { daysBetween, type Figures, type Group, groupsMax, groupsOf, valuesOf } from './figures.ts'

const spans = [
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
]
const dimensions = ['tier', 'key', 'skill', 'model'] as const
type Dimension = (typeof dimensions)[number]

const dayMs = 86_400_000
const pollMs = 15_000
const whole = new Intl.NumberFormat('en-GB')
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** Usage and cost of the workspace, over time and by groups. */
export function UsageScreen() {
  const here = useHere()
  const days = spans.find((one) => String(one.days) === here.searchParams.get('days'))?.days ?? 30
  const by = dimensions.find((one) => one === here.searchParams.get('by')) ?? 'tier'
  const today = new Date().toISOString().slice(0, 10)
  const from = useMemo(() => new Date(Date.parse(today) - (days - 1) * dayMs).toISOString(), [days, today])
  const usage = useLoaded<Usage>(`/v1/usage?group_by=day,${by}&from=${from}`, { everyMs: () => pollMs })
  const names = useNames(by)
  const set = (name: string, value: string) => {
    const to = new URL(location.href)
    to.searchParams.set(name, value)
    go(to.pathname + to.search, { replace: true })
  }
  return (
    <>
      <div class="head-line">
        <h1>Usage</h1>
      </div>
      <div class="filters">
        <label class="field">
          <span>Period</span>
          <select value={String(days)} onChange={(event) => set('days', event.currentTarget.value)}>
            {spans.map((one) => (
              <option key={one.days} value={String(one.days)}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Grouped by</span>
          <select value={by} onChange={(event) => set('by', event.currentTarget.value)}>
            {dimensions.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <Problem text={usage.problem} />
      {usage.data && <Total total={usage.data.total} />}
      {usage.data?.total.executions === 0 && <Nothing>No executions in this period.</Nothing>}
      {usage.data && usage.data.total.executions > 0 && <Charts usage={usage.data} names={names} by={by} />}
    </>
  )
}

function Total({ total }: { total: Figures }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Executions', whole.format(total.executions)],
    ['Cost', dollars(total.cost_dollars)],
    ['Standard rate', dollars(total.standard_cost_dollars)],
    ['Saved with flex', dollars(total.savings_dollars)],
    ['Input tokens', whole.format(total.input_tokens)],
    ['of which cached', whole.format(total.cached_input_tokens)],
    ['Output tokens', whole.format(total.output_tokens)],
    ['Median time', total.latency_p50_ms === null ? '–' : duration(total.latency_p50_ms)],
    ['95 % within', total.latency_p95_ms === null ? '–' : duration(total.latency_p95_ms)],
  ]
  return (
    <section class="card" aria-label="Summary">
      <Facts facts={facts} />
    </section>
  )
}

interface ChartsProps {
  readonly usage: Usage
  readonly names: (key: string) => string
  readonly by: Dimension
}

function Charts({ usage, names, by }: ChartsProps) {
  const days = useMemo(() => daysBetween(usage.from, usage.to), [usage])
  const groups = useMemo(() => groupsOf(usage), [usage])
  const shown = groups.slice(0, groupsMax)
  const series = (pick: (figures: Figures) => number | null): readonly Series[] =>
    shown
      .map((group) => ({ name: names(group.key), values: valuesOf(group, days, pick) }))
      .filter((one) => one.values.some((value) => value !== null && value > 0))
  const tokens = shown.flatMap((group): Series[] => [
    { name: `${names(group.key)}, in`, values: valuesOf(group, days, (one) => one.input_tokens) },
    { name: `${names(group.key)}, out`, values: valuesOf(group, days, (one) => one.output_tokens), isDashed: true },
  ])
  const latency = shown.flatMap((group): Series[] => [
    { name: `${names(group.key)}, median`, values: valuesOf(group, days, (one) => one.latency_p50_ms) },
    { name: `${names(group.key)}, 95 %`, values: valuesOf(group, days, (one) => one.latency_p95_ms), isDashed: true },
  ])
  const hasCost = usage.total.standard_cost_dollars > 0
  const hasSavings = usage.total.savings_dollars > 0
  const hasTokens = usage.total.input_tokens + usage.total.output_tokens > 0
  return (
    <>
      {groups.length > shown.length && (
        <p class="hint">The charts show the {groupsMax} largest groups; the table shows all.</p>
      )}
      <div class="cards">
        <Chart
          title="Executions"
          kind="bars"
          days={days}
          series={series((one) => one.executions)}
          format={short.format}
          isCount
        />
        {hasCost && (
          <Chart title="Cost" kind="bars" days={days} series={series((one) => one.cost_dollars)} format={dollars} />
        )}
        {hasSavings && (
          <Chart
            title="Saved with flex"
            kind="bars"
            days={days}
            series={series((one) => one.savings_dollars)}
            format={dollars}
          />
        )}
        {hasTokens && <Chart title="Tokens" kind="lines" days={days} series={tokens} format={short.format} />}
        <Chart title="Time from creation to completion" kind="lines" days={days} series={latency} format={duration} />
      </div>
      <GroupTable groups={groups} names={names} by={by} />
    </>
  )
}

function GroupTable({ groups, names, by }: Omit<ChartsProps, 'usage'> & { groups: readonly Group[] }) {
  const sum = (group: Group, pick: (figures: Figures) => number) =>
    [...group.byDay.values()].reduce((all, one) => all + pick(one), 0)
  return (
    <section class="card" aria-label={`Totals by ${by}`}>
      <h2>By {by}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too. */}
      <div class="wide" tabIndex={0}>
        <table>
          <TableHead
            head={[
              `${by[0]?.toUpperCase()}${by.slice(1)}`,
              'Executions#',
              'Cost#',
              'Saved#',
              'Tokens in#',
              'Tokens out#',
            ]}
          />
          <tbody>
            {groups.map((group) => (
              <tr key={group.key}>
                <th scope="row">{names(group.key)}</th>
                <td class="number">{whole.format(group.executions)}</td>
                <td class="number">{dollars(sum(group, (one) => one.cost_dollars))}</td>
                <td class="number">{dollars(sum(group, (one) => one.savings_dollars))}</td>
                <td class="number">{whole.format(sum(group, (one) => one.input_tokens))}</td>
                <td class="number">{whole.format(sum(group, (one) => one.output_tokens))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The label of a group: keys by name, if the caller may see them. */
function useNames(by: Dimension): (key: string) => string {
  const keys = useLoaded<readonly Key[]>(by === 'key' ? '/v1/keys' : null)
  return (key) => {
    if (by === 'skill' && key === '') return 'without a skill'
    if (key === '') return 'none'
    const known = by === 'key' ? keys.data?.find((one) => one.id === key) : undefined
    return known ? `${known.name || 'key'} …${known.hint}` : key
  }
}
