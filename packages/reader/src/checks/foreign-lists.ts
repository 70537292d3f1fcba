import { pointerSteps } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Finding } from '../extract/assemble.ts'
import { agreement } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import { type Line, lineText, type PageLayout } from '../layout/layout.ts'
import { keptBy } from '../layout/remembered.ts'
import type { Field } from '../layout/sheet.ts'
import { namePhrase } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import type { ReadTables } from '../tables/items.ts'
import type { Table } from '../tables/table.ts'

/** Names of lists that any rows may have. */
const generalWords = new Set(
  (
    'item items line lines row rows entry entries record records position positions product products article articles goods service services charge charges ' +
    'payment payments zahlung zahlungen paiement paiements pago pagos pagamento pagamenti pagamentos betaling betalingen ' +
    'transaction transactions movement movements booking bookings detail details data list table content contents purchase purchases element elements value values result results ' +
    'positionen posten artikel zeile zeilen leistungen umsatze buchung buchungen eintrage ligne lignes prestations operations ecritures mouvements detail ' +
    'linea lineas articulos concepto conceptos partidas productos movimientos detalle detalles riga righe voce voci articoli prodotti movimenti dettaglio ' +
    'regel regels artikelen producten boekingen transacties mutaties linha linhas item itens artigos produtos movimentos lancamentos'
  ).split(' '),
)

/** A longer line is prose and names no table. */
const titleWordsMax = 7
/** From this agreement on, a title or a heading names the list. */
const namedMin = 0.5
/** The confidence of values of a list that nothing on the page names. */
const foreignConfidence = 0.4

/**
 * True for rows of a list that nothing says they are of it: its name is not a general one, no heading of their columns is the name of one of its
 * fields, and neither a heading nor a short line above the table has a word of its name. Such rows were found by what their columns hold: an
 * invoice's lines have names and amounts as `deductions` do.
 */
export function isForeign(list: ListField, { tables }: ReadTables): boolean {
  const wanted = specialWordsOf(list)
  if (wanted === null || tables.length === 0) return false
  return tables.every((table) => !hasOwnHeading(list, table) && !isNamed(table, wanted))
}

/** The words of a list's name; null if it is a general one or nothing is known of them. */
function specialWordsOf(list: ListField): readonly MeantWord[] | null {
  const name = nameOf(list)
  if (name === '' || isGeneral(name)) return null
  const words = meantWords(name)
  return words.every(({ weight }) => weight < 1) ? null : words
}

const nameOf = (list: ListField): string => namePhrase(pointerSteps(list.pointer).at(-1) ?? '')
const isGeneral = (name: string): boolean => name.split(' ').some((word) => generalWords.has(word))

/** Lines right above a table may name it, whatever else stands further up. */
const nearLines = 2

/** A list with its rows and the tables they are of; of rows that were found by the names of columns, no table is known. */
interface OfTables {
  readonly list: ListField
  readonly rows: readonly ReadonlyMap<string, Finding>[]
  readonly tables: readonly Table[]
}

/**
 * Another list that has all cells of a list's rows and more right to them: its name is a general one or stands at the table, and the first one's
 * does neither. An invoice's lines fill `items`, and not `taxes` too.
 */
export function ownerOf(one: OfTables, all: readonly OfTables[], pages: readonly PageLayout[]): Owner | undefined {
  const wanted = specialWordsOf(one.list)
  if (wanted === null || one.rows.length === 0 || isNamedAt(one, wanted, { pages, near: nearLines })) return undefined
  const cells = fieldsByCell(one)
  for (const other of all) {
    if (other.list === one.list || other.rows.length === 0) continue
    const fields = fieldsByCell(other)
    const pairs = [...cells].map(([cell, field]) => [field, fields.get(cell)] as const)
    const name = nameOf(other.list)
    const hasRight = isGeneral(name) || isNamedAt(other, meantWords(name), { pages })
    if (!hasRight || pairs.some(([, its]) => its === undefined)) continue
    const isBeside = wanted.every(({ meanings }) => besideRows.some((meaning) => meanings.has(meaning)))
    return {
      list: other.list,
      isPart: !isBeside && pairs.every(([own, its]) => its !== undefined && isAlike(own, its)),
    }
  }
  return undefined
}

/** What is added to the rows of other lists or taken from them, in words of names. */
const besideRows = 'tax discount deduction allowance fee charges breakdown summary'.split(' ')

/** A list that another one's rows are of. */
interface Owner {
  readonly list: ListField
  /** True if the other one asks for the same things, or some of them: it may be meant. */
  readonly isPart: boolean
}

const isAlike = (own: Field, other: Field): boolean =>
  own.pointer === other.pointer ||
  (own.plan.meaning.concept !== null && own.plan.meaning.concept === other.plan.meaning.concept)

/** The fields of the cells that the rows of a list are made of. */
const fieldsByCell = keptBy(({ list, rows }: OfTables): ReadonlyMap<string, Field> => {
  const fields = new Map(list.columns.map((field) => [field.pointer, field]))
  const found = new Map<string, Field>()
  for (const row of rows)
    for (const [pointer, { evidence }] of row) {
      const field = fields.get(pointer)
      const { input, page, bbox, span } = evidence
      if (field) found.set(JSON.stringify([input, page, bbox, span]), field)
    }
  return found
})

/** Whether a name stands at the tables of a list, or, where none is known, in any short line. */
function isNamedAt(
  { tables }: OfTables,
  wanted: readonly MeantWord[],
  { pages, near }: { readonly pages: readonly PageLayout[]; readonly near?: number },
): boolean {
  if (tables.length > 0) return tables.some((table) => isNamed(table, wanted, near))
  const titles = pages.flatMap(({ lines }) => lines.filter(isTitle).map(lineText))
  return titles.some((text) => agreement(meantWords(text), wanted) >= namedMin)
}

const hasOwnHeading = (list: ListField, { header }: Table): boolean =>
  list.columns.some(
    ({ id, plan }) =>
      plan.meaning.concept === null &&
      header.headings.some(({ targets }) =>
        targets.some(({ target, weight }) => target === `f:${id}` && weight >= 0.9),
      ),
  )

const isTitle = (line: Line): boolean => lineText(line).split(/\s+/u).length <= titleWordsMax

function isNamed({ page, header }: Table, wanted: readonly MeantWord[], near = Number.POSITIVE_INFINITY): boolean {
  const above = page.lines.slice(Math.max(0, header.first.index - near), header.first.index)
  const titles = above.filter(isTitle).map(lineText)
  return [...titles, ...header.headings.map(({ text }) => text)].some(
    (text) => agreement(meantWords(text), wanted) >= namedMin,
  )
}

/** The evidence, with the doubt that the values of some lists belong to others. */
export function doubtForeign(evidence: EvidenceMap, lists: readonly string[]): EvidenceMap {
  if (lists.length === 0) return evidence
  const doubted = Object.entries(evidence).map(([pointer, one]) => {
    if (!lists.some((list) => pointer.startsWith(`${list}/`))) return [pointer, one] as const
    const confidence = Math.min(one.confidence, foreignConfidence)
    return [pointer, { ...one, confidence, note: 'Nothing at this table names the list.' }] as const
  })
  return Object.fromEntries(doubted)
}
