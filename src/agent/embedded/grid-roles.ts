import type { Grid, RecordLine, Strip } from './grid-columns.ts'
import type { Header, Heading } from './headers.ts'
import { accountMeans, balanceIn, numbersOf, productOf, withInferred } from './inferred.ts'
import type { Column, TableSearch } from './table.ts'

/** What sums and products say outweighs what a heading may mean. */
const provenWeight = 0.97

const figureTargets =
  /^c:(?:line_amount|movement|unit_price|quantity|debit|credit|running_balance|subtotal|total|tax|line_tax|line_discount|discount|opening_balance|closing_balance|total_debits|total_credits)$/
const dateTargets = /^c:(?:transaction_date|\w*_date)$/
const textTargets = /^c:(?:description|unit)$/

/** Meanings that what stands in a column can have: no date is an amount, whatever its heading says. */
function compatible(heading: Heading, { kind }: Strip): Heading {
  const wrong =
    kind === 'text'
      ? (target: string) => figureTargets.test(target) || dateTargets.test(target)
      : kind === 'date'
        ? (target: string) => figureTargets.test(target) || textTargets.test(target)
        : (target: string) => dateTargets.test(target) || textTargets.test(target)
  const targets = heading.targets.filter(({ target }) => !wrong(target))
  return targets.length === heading.targets.length ? heading : { ...heading, targets }
}

function columnsOf(strips: readonly Strip[], header: Header): Column[] {
  return header.headings.map((heading, at) => {
    const [before, own, after] = [strips[at - 1], strips[at], strips[at + 1]]
    const edge = (a: Strip | undefined, b: Strip | undefined): number => ((a?.x1 ?? 0) + (b?.x0 ?? 0)) / 2
    return {
      heading,
      left: before === undefined ? header.left : edge(before, own),
      right: after === undefined ? header.right : edge(own, after),
    }
  })
}

/** The columns of a grid with what they hold: by their sort of content, by what adds up, and by their headings. */
export function withGridRoles(
  { header, strips }: Grid,
  records: readonly RecordLine[],
  search: TableSearch,
): { header: Header; columns: Column[] } {
  const { conventions } = search
  const fitting = {
    ...header,
    headings: header.headings.map((heading, at) => compatible(heading, strips[at] as Strip)),
  }
  const columns = columnsOf(strips, fitting)
  const lines = records.map(({ line }) => line)
  const values = columns.map((column, at) =>
    /^(?:amount|number)$/.test(strips[at]?.kind ?? '') ? numbersOf(column, lines, conventions) : lines.map(() => null),
  )
  const steps = balanceIn(values)
  const product = steps === null ? productOf(values) : null
  const means = steps === null ? new Map<number, string[]>() : accountMeans(steps)
  if (product !== null) {
    means.set(product[0], ['c:quantity'])
    means.set(product[1], ['c:unit_price'])
    means.set(product[2], ['c:line_amount', 'c:movement'])
  }
  const firstDate = strips.findIndex(({ kind, share }) => kind === 'date' && share > 0.3)
  const headings = fitting.headings.map((heading, at): Heading => {
    const own = means.get(at)
    if (own !== undefined && own.length > 0)
      return { ...heading, targets: own.map((target) => ({ target, weight: provenWeight })) }
    const isDated = heading.targets.some(({ target, weight }) => target === 'c:transaction_date' && weight >= 0.6)
    if (at === firstDate && !isDated)
      return { ...heading, targets: [...heading.targets, { target: 'c:transaction_date', weight: 0.8 }] }
    return heading
  })
  const known = { ...fitting, headings }
  const isKnown = (heading: Heading): boolean =>
    search.kindUnder(heading) !== null && heading.targets.some((entry) => entry.weight >= 0.5)
  const whole = withInferred(known, columnsOf(strips, known), { lines, conventions, isKnown })
  return { header: whole, columns: columnsOf(strips, whole) }
}
