import { accountMeans, balanceIn, numbersOf, productOf, withInferred } from '../candidates/inferred.ts'
import type { Grid, RecordLine, Strip } from './grid-columns.ts'
import type { Header, Heading } from './headers.ts'
import type { Column, TableSearch } from './table.ts'

/** The weight of a meaning that arithmetic proves; it outweighs the meanings of headings. */
const provenWeight = 0.97

const figureTargets =
  /^c:(?:line_amount|movement|unit_price|quantity|debit|credit|running_balance|subtotal|total|tax|line_tax|line_discount|discount|opening_balance|closing_balance|total_debits|total_credits)$/
const dateTargets = /^c:(?:transaction_date|\w*_date)$/
const textTargets = /^c:(?:description|unit)$/

/** Keeps the meanings that suit a column's contents: a date is never an amount, whatever its heading says. */
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

/** The minimum share of records that fill only one of two columns for these to be debits and credits. */
const eitherShare = 0.9
const sideWeight = 0.8

const meansSide = ({ targets }: Heading, side: string): boolean =>
  targets.some(({ target, weight }) => target === `c:${side}` && weight >= 0.5)

/**
 * Two columns of amounts, of which each dated record fills only one, are debits and credits. When a heading names one,
 * the other follows; otherwise debits come first.
 */
function withSides(headings: readonly Heading[], strips: readonly Strip[], records: readonly RecordLine[]): Heading[] {
  const isDated = strips.some(({ kind, share }) => kind === 'date' && share > 0.3)
  const amounts = strips.flatMap(({ kind }, at) => (kind === 'amount' && !isBalance(headings[at]) ? [at] : []))
  const fills =
    (at: number) =>
    ({ pieces }: RecordLine): boolean =>
      pieces.some(({ x0, x1 }) => Math.min(x1, strips[at]?.x1 ?? 0) > Math.max(x0, strips[at]?.x0 ?? 0))
  const [left, right] = amounts
  if (!isDated || left === undefined || right === undefined || amounts.length > 2) return [...headings]
  const either = records.filter((record) => fills(left)(record) !== fills(right)(record))
  const isEach = records.some(fills(left)) && records.some(fills(right))
  if (!isEach || either.length < records.length * eitherShare) return [...headings]
  const says = (at: number, side: string): boolean => meansSide(headings[at] as Heading, side)
  const isTurned =
    says(left, 'credit') !== says(left, 'debit') ? says(left, 'credit') : says(right, 'debit') && !says(right, 'credit')
  const named = (heading: Heading, side: string): Heading => ({
    ...heading,
    targets: [{ target: `c:${side}`, weight: sideWeight }],
  })
  return headings.map((heading, at) => {
    if (at !== left && at !== right) return heading
    return named(heading, (at === left) === isTurned ? 'credit' : 'debit')
  })
}

const roleTargets = /^c:(?:line_amount|movement|debit|credit)$/

/** The last column of amounts without another meaning holds the row amounts, when no heading names one. */
function withAmount(headings: readonly Heading[], strips: readonly Strip[]): Heading[] {
  const means = (heading: Heading, pattern: RegExp): boolean =>
    heading.targets.some(({ target, weight }) => pattern.test(target) && weight >= 0.5)
  if (headings.some((heading) => means(heading, roleTargets))) return [...headings]
  const last = headings.findLastIndex(
    (heading, at) => strips[at]?.kind === 'amount' && !means(heading, /^c:(?:running_balance|unit_price|quantity)$/),
  )
  const targets = ['c:line_amount', 'c:movement'].map((target) => ({ target, weight: sideWeight }))
  return headings.map((heading, at) => (at === last ? { ...heading, targets } : heading))
}

const isBalance = (heading: Heading | undefined): boolean =>
  heading !== undefined && meansSide(heading, 'running_balance')

/** Meanings of numeric columns by arithmetic: the running balance of others, or the product of two. Empty when nothing fits. */
export function provenMeans(
  values: readonly (readonly (number | null)[])[],
  headings: readonly Heading[],
  percents: readonly (readonly (number | null)[])[] = [],
): Map<number, string[]> {
  const steps = balanceIn(values)
  if (steps !== null) return accountMeans(steps)
  const product = productOf(values, headings, percents)
  return product === null
    ? new Map()
    : new Map([
        [product[0], ['c:quantity']],
        [product[1], ['c:unit_price']],
        [product[2], ['c:line_amount', 'c:movement']],
      ])
}

/** The columns of a grid with meanings from their kind of content, from arithmetic, and from their headings. */
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
  const percents = columns
    .filter((_, at) => strips[at]?.kind === 'percent')
    .map((column) => numbersOf(column, lines, conventions))
  const means = provenMeans(values, fitting.headings, percents)
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
  const known = { ...fitting, headings: withAmount(withSides(headings, strips, records), strips) }
  const whole = withInferred(known, columnsOf(strips, known), { lines, search })
  return { header: whole, columns: columnsOf(strips, whole) }
}
