import { inStyle, type Sheet } from '../layout/sheet.ts'
import { columnStyles } from '../values/conventions.ts'
import { columnNumberStyle } from '../values/numbers.ts'

const minus = /^\D{0,4}[-−–(]\D{0,4}\d|\d\s?[-−–]\s*$/u
const noMinus = /^[^-−–(]*[1-9][^-−–(]*$/u

/** True for amounts with a minus and without: a column of debits that also has `-12.40` takes that one back. */
const haveBothSigns = (texts: readonly string[]): boolean =>
  texts.some((text) => minus.test(text)) && texts.some((text) => noMinus.test(text))

/**
 * The sheet with what each column shows of its numbers, by the texts of the columns. In a source with columns, these also show how those
 * are meant that do not say it themselves.
 */
export function sheetsOfColumns(
  sheet: Sheet,
  columns: readonly (readonly string[])[],
  { isTabular }: { readonly isTabular: boolean },
): Sheet[] {
  const styles = isTabular
    ? columnStyles(columns, sheet.conventions)
    : columns.map((texts) => columnNumberStyle(texts) ?? undefined)
  return styles.map((style, at) => inStyle(sheet, style, haveBothSigns(columns[at] ?? [])))
}
