import type { Usage } from '../wire.ts'

export type Figures = Usage['total']

/** Values of one group, day by day. */
export interface Group {
  readonly key: string
  readonly byDay: ReadonlyMap<string, Figures>
  readonly executions: number
}

const dayMs = 86_400_000
/** More series are indistinguishable in a chart. */
export const groupsMax = 6

/** Every day between two moments, both inclusive, as `2026-11-21`. */
export function daysBetween(from: string, to: string): readonly string[] {
  const first = Date.parse(from.slice(0, 10))
  const last = Date.parse(to.slice(0, 10))
  return Array.from({ length: Math.max(1, Math.round((last - first) / dayMs) + 1) }, (_, index) =>
    new Date(first + index * dayMs).toISOString().slice(0, 10),
  )
}

/** The groups of `group_by=day,…`, the largest first. A day never contains a comma, the rest may. */
export function groupsOf(usage: Usage): readonly Group[] {
  const found = new Map<string, Map<string, Figures>>()
  for (const figures of usage.groups) {
    const [day = '', ...rest] = figures.key.split(',')
    const key = rest.join(',')
    const byDay = found.get(key) ?? new Map<string, Figures>()
    byDay.set(day, figures)
    found.set(key, byDay)
  }
  return [...found]
    .map(([key, byDay]) => ({
      key,
      byDay,
      executions: [...byDay.values()].reduce((sum, one) => sum + one.executions, 0),
    }))
    .toSorted((a, b) => b.executions - a.executions || a.key.localeCompare(b.key))
}

/** A figure of a group, one value per day. */
export const valuesOf = (group: Group, days: readonly string[], pick: (figures: Figures) => number | null) =>
  days.map((day) => {
    const figures = group.byDay.get(day)
    return figures ? pick(figures) : null
  })
