import { pointerSteps } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '../evidence/evidence.ts'
import { agreement } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { Line } from '../layout/layout.ts'
import { lineText } from '../layout/layout.ts'
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
  const name = namePhrase(pointerSteps(list.pointer).at(-1) ?? '')
  if (name === '' || tables.length === 0 || name.split(' ').some((word) => generalWords.has(word))) return false
  const wanted = meantWords(name)
  if (wanted.every(({ weight }) => weight < 1)) return false
  return tables.every((table) => !hasOwnHeading(list, table) && !isNamed(table, wanted))
}

const hasOwnHeading = (list: ListField, { header }: Table): boolean =>
  list.columns.some(
    ({ id, plan }) =>
      plan.meaning.concept === null &&
      header.headings.some(({ targets }) =>
        targets.some(({ target, weight }) => target === `f:${id}` && weight >= 0.9),
      ),
  )

function isNamed({ page, header }: Table, wanted: readonly MeantWord[]): boolean {
  const isTitle = (line: Line): boolean => lineText(line).split(/\s+/u).length <= titleWordsMax
  const titles = page.lines.slice(0, header.first.index).filter(isTitle).map(lineText)
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
