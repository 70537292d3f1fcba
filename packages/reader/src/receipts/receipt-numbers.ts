import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { spanOfCells, wordsWithin } from '../layout/spans.ts'
import { fold } from '../layout/text.ts'
import { findField } from '../schema/fields.ts'
import { addressScore } from '../values/addresses.ts'
import { findDates } from '../values/dates.ts'
import { readReceipt } from './receipt-items.ts'

/** Starts of folded words in front of receipt numbers. */
const numberedThings =
  /^(?:receipt|rcpt|ticket|tkt|tique|trans|trn|trx|txn|ta(?=-?nr)|chk|check|docket|doc|slip|bill|invoice|inv|sale|bon|beleg|quittung|rechn|rg|vorgang|kassenb|kassenz|kassab|recu|fact|fatt|fat|piece|vent|vend|oper|op|scontrino|ricevuta|rekening|factuur|talao|recibo|cupom|nota|note|conto|journal|folio|fs|ft|fr)/
/** Words for numbers of other things: taxes, phones, cards, terminals, places, customers. */
const otherThings =
  /(?:^|[^a-z])(?:vat|tax|ust|mwst|tva|siret|siren|rcs|nif|cif|nipc|iva|btw|kvk|abn|acn|gst|cnpj|cpf|ein|tel|phone|fon|fax|mob|gsm|auth|aid|mid|tid|pan|card|karte|carte|carta|tarjeta|cartao|terminal|term|till|kasse|caisse|caja|cassa|kassa|caixa|tisch|table|mesa|tavolo|tafel|punt|point|guests|lane|pos|customer|kunde|client|cliente|klant|member|loyalty)(?![a-z])/
const idPattern = /(?<![\p{L}\d./+-])(?:[A-Z]{1,4}[-/]?)?\d[\d]*(?:[-/]\d+)*(?![\p{L}\d]|[.,]\d)/gu
/** The maximum number of words of a label in front of a number. */
const labelWordsMax = 4
const digitsMin = 3
const labelledScore = 0.72
const titledScore = 0.56

interface Found {
  readonly text: string
  readonly start: number
}

/** The number after a label in a part of a line: `Trn 5909-99-9968`, `Fat. simpl.  05-394406`. */
function numberBehind(text: string): Found | null {
  for (const match of text.matchAll(idPattern)) {
    const label = fold(text.slice(0, match.index)).trim()
    const words = label.split(/[\s.:#]+/u).filter((word) => /[a-z]{2}/.test(word))
    const rest = text.slice(match.index + match[0].length)
    if ((match[0].match(/\d/g)?.length ?? 0) < digitsMin || words.length > labelWordsMax || /^\s*[€$£%]/u.test(rest))
      continue
    if (/\d/.test(label) || otherThings.test(label) || words.length === 0) return null
    if (words.some((word) => numberedThings.test(word))) return { text: match[0], start: match.index }
    return null
  }
  return null
}

/** True for a line that cannot hold the receipt number. */
const isOther = (text: string): boolean => findDates(text).length > 0 || addressScore(text) >= 0.6

function candidate(field: Field, cells: readonly Cell[], found: Found & { score: number }): Candidate[] {
  const span = spanOfCells(cells)
  const end = found.start + found.text.length
  const reading = { start: found.start, end, value: found.text, printed: found.text, fit: 0.9 }
  const words = wordsWithin(span, found.start, end)
  const page = cells[0]?.line.page
  if (page === undefined) return []
  const score = found.score * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page, label: [], relation: 'unlabelled', score }]
}

const titleWords =
  /(?:receipt|slip|docket|bill|beleg|quittung|rechnung|zettel|bon|ticket|note|recu|facture|factura|tique|recibo|comprobante|scontrino|ricevuta|documento|rekening|talao|fatura|conta|comprovante|cupom)/

/** True for a short text without digits that names a receipt. */
const isReceiptTitle = (text: string): boolean =>
  !/\d/.test(text) && text.split(' ').length <= 3 && titleWords.test(fold(text))

/** A number alone in its cell below the receipt's title, beside the shop's name. */
function belowTitle(sheet: Sheet, page: PageLayout): { cell: Cell; text: string } | null {
  for (const line of page.lines)
    for (const title of line.cells) {
      if (title.index === 0 || !isReceiptTitle(title.text)) continue
      const next = page.lines[line.index + 1]?.cells.find((cell) => cell.index > 0 && cell.x1 > title.x0)
      const isNumber = next !== undefined && /^(?:[A-Z]{1,4}[-/]?)?\d+(?:[-/]\d+)*$/.test(next.text)
      if (next !== undefined && isNumber && !inTable(sheet, next) && !isOther(next.text))
        return { cell: next, text: next.text }
    }
  return null
}

/** The number of a receipt without a known label: after a word for receipts or sales, or below the title. */
export function receiptNumberCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const field = findField(fields, 'receipt_number')
  const [page] = sheet.pages
  if (field === undefined || page === undefined) return []
  const items = new Set<Line>(readReceipt(sheet).items.flatMap(({ lines }) => lines))
  const free = page.lines.filter((line) => !items.has(line) && !sheet.sumLines.has(line))
  const labelled = free.flatMap((line) => {
    for (const cells of stretches(line)) {
      const { text } = spanOfCells(cells)
      const found = cells.some((cell) => inTable(sheet, cell)) || isOther(text) ? null : numberBehind(text)
      if (found !== null) return candidate(field, cells, { ...found, score: labelledScore })
    }
    return []
  })
  if (labelled.length > 0) return new Set(labelled.map(({ reading }) => reading.value)).size === 1 ? labelled : []
  const titled = belowTitle(sheet, page)
  return titled === null ? [] : candidate(field, [titled.cell], { text: titled.text, start: 0, score: titledScore })
}

/** Words of numbers labelled as something else, and of references on the card slip below the items. */
export function wordsOfOtherNumbers(sheet: Sheet): Set<PlacedWord> {
  const receipt = readReceipt(sheet)
  const last = Math.max(-1, ...receipt.items.flatMap(({ lines }) => lines.map((line) => line.index)))
  const others = new Set<PlacedWord>()
  for (const line of sheet.pages[0]?.lines ?? []) {
    let label = ''
    for (const cell of line.cells) {
      for (const word of cell.words) {
        const { text } = word.word
        if (!/\d/.test(text)) {
          label += `${fold(text)} `
          continue
        }
        const isNumbered = label.split(/[^a-z]+/).some((part) => part !== '' && numberedThings.test(part))
        const isSlip = last >= 0 && line.index > last && /^ref/.test(label)
        if ((otherThings.test(label) && !isNumbered) || isSlip) others.add(word)
        else label = ''
      }
    }
  }
  return others
}

/** Each cell of a line alone, and each with the next. */
const stretches = (line: Line): Cell[][] =>
  line.cells.flatMap((cell, at) => [
    [cell],
    ...(line.cells[at + 1] === undefined ? [] : [line.cells.slice(at, at + 2)]),
  ])
