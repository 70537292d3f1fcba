import { pointerSteps } from '@skillrun/core/json.ts'
import { type AmountSide, amountSideOf } from '../../languages/amount-sides.ts'
import { differs, measureNamed, measureOfLabel, measurePrinted } from '../../languages/units.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import { namePhrase } from '../../layout/text.ts'
import { sameAmount } from '../../values/amounts.ts'
import { readCellAs } from '../../values/parsed-values.ts'
import type { AskedColumns, ScoredTable } from './column-score.ts'

/** This share of the values of a column says what all of it is. */
const mostOf = 0.6
/** Rows that are looked at. */
const rowsMax = 30
/** A description of more words says more than what side of an amount is asked for. */
const describedMax = 8
/** A heading that is less like the names of a field says nothing of it. */
const alikeMin = 0.3

/** The last name of a field, as words. */
export const lastName = ({ pointer }: Field): string => namePhrase(pointerSteps(pointer).at(-1) ?? '')

/** True for a column whose heading is the name of a field. */
export const isHeadedBy = ({ columns }: Pick<ScoredTable, 'columns'>, at: number, field: Field): boolean =>
  namePhrase(columns[at]?.heading.text ?? '') === lastName(field)

/** The same of a sheet: there headings are cells of their own. */
export const isNamedColumn = (table: ScoredTable, at: number, field: Field): boolean =>
  table.rows[0]?.lines[0]?.page.page.isTabular === true && isHeadedBy(table, at, field)

/** The side of an amount that a field asks for by its name, title or a short description. */
export function sideAskedFor(field: Field): AmountSide | null {
  if (!/^(?:money|number|percent)$/.test(field.plan.meaning.kind)) return null
  const { title, description } = field.plan.schema
  const texts = [title, description].filter((one) => typeof one === 'string')
  const short = texts.filter((one) => one.split(/\s+/u).length <= describedMax)
  return [lastName(field), ...short].reduce<AmountSide | null>((side, one) => side ?? amountSideOf(one), null)
}

const numberPattern = /\d(?:[\d.,'’\s]*\d)?/

/** The measure or currency of a column: that of most of its values, else that of its heading. */
function measureOfColumn(heading: string, texts: readonly string[]): string | null {
  const printed = texts.flatMap((text) => {
    const found = numberPattern.exec(text)
    const isAlone = found !== null && !/\d/.test(text.slice(found.index + found[0].length))
    return isAlone ? (measurePrinted(text, { start: found.index, end: found.index + found[0].length }) ?? []) : []
  })
  const [first] = printed
  const isOne = printed.length >= texts.length * mostOf && printed.every((one) => one === first)
  return isOne && first !== undefined ? first : measureOfLabel(heading)
}

const ratePattern = /^\d{1,2}(?:[.,]\d{1,2})?\s?%?$/
const centsPattern = /\d[.,]\d{2}(?!\d)/

/** True for rates in per cent, also without a sign where the amounts beside them have cents. */
function areRates(texts: readonly string[], others: readonly string[]): boolean {
  if (texts.length === 0 || !texts.every((text) => ratePattern.test(text))) return false
  if (texts.every((text) => text.endsWith('%'))) return true
  return !texts.some((text) => centsPattern.test(text)) && others.some((text) => centsPattern.test(text))
}

/** True where a column is the difference of two others in most rows: an amount, however it is written. */
function addUp(rows: ScoredTable['rows'], at: number, { conventions }: Sheet): boolean {
  const looked = rows.slice(0, rowsMax)
  const isSum = ({ cells }: ScoredTable['rows'][number]): boolean => {
    const numbers = cells.map((cell) => {
      const value = cell && readCellAs('number', cell.text, conventions)[0]?.value
      return typeof value === 'number' ? value : Number.NaN
    })
    const own = numbers[at] ?? Number.NaN
    return numbers.some(
      (one, i) => i !== at && numbers.some((sum, j) => j !== i && j !== at && sameAmount(one + own, sum)),
    )
  }
  return looked.filter(isSum).length > looked.length * mostOf
}

const areDates = (texts: readonly string[], { conventions }: Sheet): boolean =>
  texts.filter((text) => readCellAs('date', text, conventions).length > 0).length > texts.length * mostOf

const inWords: Readonly<Record<AmountSide, string>> = { net: 'without tax', gross: 'with tax', tax: 'tax' }

/**
 * Why the columns of a table cannot be what a field asks for, however much they resemble it: they are in another measure or currency, without
 * the tax or with it, rates and not amounts, or days where a name or a code is asked for. Null: nothing speaks against it.
 */
export function misfitsOf(
  { compare }: Pick<AskedColumns, 'compare'>,
  { columns, rows }: ScoredTable,
  sheet: Sheet,
): (field: Field, at: number) => string | null {
  const texts = columns.map((_, at) => rows.slice(0, rowsMax).flatMap(({ cells }) => cells[at]?.text ?? []))
  return (field, at) => {
    const heading = columns[at]?.heading.text ?? ''
    const own = texts[at] ?? []
    const under = `the column ${JSON.stringify(heading)}`
    const named = measureNamed(field.plan)
    const measure = named === null ? null : measureOfColumn(heading, own)
    if (named !== null && measure !== null && differs(named, measure))
      return `It asks for ${named}, but ${under} is in ${measure}.`
    const [asked, stated] = [sideAskedFor(field), amountSideOf(heading)]
    if (asked !== null && stated !== null && asked !== stated)
      return `It asks for ${asked === 'tax' ? 'tax' : `amounts ${inWords[asked]}`}, but ${under} is ${inWords[stated]}.`
    const others = texts.flatMap((other, place) => (place === at ? [] : other))
    if (asked === 'tax' && field.plan.meaning.kind === 'money' && areRates(own, others) && !addUp(rows, at, sheet))
      return `It asks for tax, but ${under} has rates.`
    const isText = /^(?:id|text|name|address)$/.test(field.plan.meaning.kind)
    if (!isText || own.length === 0 || !areDates(own, sheet)) return null
    const like = compare(heading)
    return like.name(field) < alikeMin && like.meaning(field) < alikeMin
      ? `It asks for a text, but ${under} has dates.`
      : null
  }
}
