import { pointerSteps } from '@skillrun/core/json.ts'
import type { Finding } from '../extract/assemble.ts'
import { agreement } from '../labels/like-labels.ts'
import { meantWords } from '../languages/form-words.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import type { Sheet } from '../layout/sheet.ts'
import { spanOfCell } from '../layout/spans.ts'
import { namePhrase } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import { readFinding } from './read-rows.ts'

const sheetWords = new Set(
  'sheet, sheet name, sheet title, worksheet, worksheet name, tabellenblatt, blatt, blattname, feuille, nom feuille, hoja, nombre hoja, foglio, nome foglio, werkblad, blad, planilha, folha'
    .split(', ')
    .map(namePhrase),
)

/** True for a property that asks for the name of the sheet that a row or table is from. */
export const asksForSheet = (name: string): boolean => sheetWords.has(namePhrase(name))

/** The name of a sheet of a spreadsheet, alone in its first line; undefined for other pages, CSV included. */
export function nameOfSheet({ page, lines }: PageLayout): Cell | undefined {
  const [cell, ...others] = lines[0]?.cells ?? []
  const isFile = cell?.words[0]?.word.span === undefined
  return page.isTabular && isFile && others.length === 0 ? cell : undefined
}

/** How much the name of a sheet agrees with that of a list, 0 to 1. */
export function likenessOfSheet({ pointer }: ListField, page: PageLayout): number {
  const name = nameOfSheet(page)
  const wanted = namePhrase(pointerSteps(pointer).at(-1) ?? '')
  return name === undefined ? 0 : agreement(meantWords(name.text), meantWords(wanted))
}

/** Rows with the name of their sheet where the list asks for it and no column has it. */
export function withSheetNames(
  rows: Map<string, Finding>[],
  { list, sheet, inputs }: { readonly list: ListField; readonly sheet: Sheet; readonly inputs: readonly string[] },
): Map<string, Finding>[] {
  const field = list.columns.find(({ pointer }) => asksForSheet(pointerSteps(pointer).at(-1) ?? ''))
  if (field === undefined) return rows
  for (const row of rows) {
    const [found] = row.values()
    if (found === undefined || row.has(field.pointer)) continue
    const { input, page: index } = found.evidence
    const page = sheet.pages.find((one) => one.page.index === index && inputs[one.document] === input)
    const name = page && nameOfSheet(page)
    const finding = name && readFinding(field, spanOfCell(name), { sheet, page, inputs })
    if (finding) row.set(field.pointer, { ...finding, isCell: true })
  }
  return rows
}
