import { isLabelCell } from '../labels/labels.ts'
import type { Kind, Party } from '../languages/concept.ts'
import { isDocumentWord } from '../languages/document-words.ts'
import { isWordsOfLabels } from '../languages/label-words.ts'
import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { inTable, overlapAcross, type Sheet } from '../layout/sheet.ts'
import { type Span, spanOf, spanOfCell, wordsWithin } from '../layout/spans.ts'
import { squeeze, tokensOf, trimMarks } from '../layout/text.ts'
import {
  addressScore,
  hasLegalForm,
  hasPostcode,
  hasStreet,
  isBarePostcode,
  isTitle,
  joinLines,
  looksLikeCompany,
} from '../values/addresses.ts'
import { findDates } from '../values/dates.ts'
import { findEmails, findIbans, findPhones, findUrls, type TextMatch } from '../values/identifiers.ts'
import { type Conventions, readAs } from '../values/parsed-values.ts'

/** A datum of a party: name, address, e-mail … */
export interface PartyValue {
  readonly party: Party
  readonly kind: Kind
  readonly value: string
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  readonly label: readonly PlacedWord[]
  readonly score: number
  /** True when nothing else is in its block. */
  readonly alone: boolean
}

const plainConventions: Conventions = {
  dates: { order: 'day-first', sure: true },
  numbers: 'point',
  numbersSure: true,
  period: null,
  day: null,
}

/** A classified line of a block. */
export interface BlockLine {
  readonly span: Span
  readonly text: string
  readonly cell: Cell
}

const blockLinesMax = 9
/** The maximum distance between lines of a block, top to top, in text heights. */
const blockPitchHeights = 2.3

const contactPattern =
  /^(?:[tfmew][.:]?\s*[:+(]?\s*[(+]?\d|(?:tel|telephone|tfno|tlfn?|phone|ph|fon|telefon|tel[eé]fono|telefoon|t[eé]l|tlf|fax|telefax|mobile|mob|hp|h\/p|e-?mail|mail|web|www|http|vat|ust|uid|tva|nif|cif|btw|p\.?\s?iva|partita|gst|sst|tax|abn|ein|iban|bic|swift|reg|co\.?\s?(?:reg|no)|company\s?(?:reg|no)|roc|siret|rcs|kvk|hrb|steuer|st\.?-?nr|contribuinte|nipc|cnpj|contact|attn|att|ansprechpartner|z\.?\s?hd|à l'attention|a la atenci|t\.a\.v|a\/c)\b)/i
const registrationPattern =
  /^\W*(?:co|company|reg|roc|brn|business|gst|sst|tax|vat)\b.{0,30}\d|^\W*\(?\s?\d{3,}\s?-\s?[A-Z]\s?\)?\W*$|^\W*[A-Z]{0,4}\d{6,}(?:-[A-Z0-9])?\W*$|^\(?\d{6,}\s?-?\s?[A-Z]\)?$/i

const attentionPattern =
  /^\W*(?:attn|attention|att|fao|f\.a\.o|for the attention|alla c\.?\s?a|zu hdn|abteilung|abt|z\.?\s?hd|zu händen|z\.\s?h\.|c\.?\s?a\.|c\/a|t\.?\s?a\.?\s?v\.?|ter attentie|a la atenci[oó]n|à l['’]attention|a\/c|a\.?\s?c\.|ao cuidado|all['’]attenzione|alla c\.a|c\/o|contact|ansprechpartner|kontakt)(?=$|[\s.:/])/iu

/** True for a line that names a contact person. */
export const isAttention = (text: string): boolean => attentionPattern.test(text)

const otherNumberPattern =
  /(?:^|[^\p{L}])(?:fax|telefax|f|vat|ust|uid|tva|nif|cif|btw|ob|iva|gst|hst|tax|steuer\p{L}*|fiscal\p{L}*|fein|ein|abn|acn|siret|siren|rcs|kvk|hrb|reg\p{L}*|iban|bic|business|company|contribuinte|nipc|no|nr|nummer|id|box|postfach|apartado|unit|suite|floor|level|lot|plot|nave|pol|zone|za|route|highway|km)(?=$|[^\p{L}])/iu

/** The phone number of a line that has it after one or two words, whatever they are: `Ruf: 030 1234567`. */
function phoneOfLine(text: string): TextMatch | null {
  const label = /^\W*(?:\p{L}[\p{L}.'-]{0,14}\s?){1,2}[:.]*\s*/u.exec(text)?.[0] ?? ''
  const [phone] = findPhones(text)
  if (
    phone === undefined ||
    phone.start > label.length ||
    !/^\W*(?:$|fax|telefax|f\b|e-?mail|mail|www|\S+@)/i.test(text.slice(phone.end))
  )
    return null
  if (otherNumberPattern.test(label)) return null
  const isShaped =
    /^[+(0]/.test(phone.value) ||
    (/^\d{3}[-. ]\d{3}[-. ]\d{3,4}$|^(?:\d{2,3} ){2,4}\d{2,4}$/.test(phone.value) &&
      phone.value.replace(/\D/g, '').length <= 10)
  return isShaped ? phone : null
}

/** A tax or registration number after words that are no place names. */
const taxLinePattern =
  /^(?:id\.? fiscal|ob[- ]?n(?:umme)?r|fein|business (?:no|number)|hst|tax id|n\.? ?fiscal|fiscal (?:no|number|code)|cod\. fisc)\b.{0,12}\d/i

/** True for a line with contact data or a tax number, which is no part of a name or address. */
export const isContactLine = (text: string): boolean =>
  contactPattern.test(text.trim()) ||
  taxLinePattern.test(text.trim()) ||
  phoneOfLine(text.trim()) !== null ||
  isAttention(text.trim()) ||
  registrationPattern.test(text.trim()) ||
  (findEmails(text).length > 0 && addressScore(text) < 0.4) ||
  (findUrls(text).length > 0 && addressScore(text) < 0.4) ||
  findIbans(text).length > 0

export const blockLineOf = (cell: Cell, span = spanOfCell(cell)): BlockLine => ({
  span,
  text: squeeze(trimMarks(span.text)),
  cell,
})

const isAligned = (cell: Cell, other: Cell): boolean => {
  const slack = Math.max(cell.line.height, other.line.height)
  const middles = Math.abs(cell.x0 + cell.x1 - other.x0 - other.x1) / 2
  const isFlushRight = Math.abs(cell.x1 - other.x1) < slack * 0.4 && overlapAcross(cell, other) > 0.9
  return (
    Math.abs(cell.x0 - other.x0) < slack * 0.8 ||
    isFlushRight ||
    (middles < slack * 1.2 && overlapAcross(cell, other) > 0.5)
  )
}

/** The maximum gap between the parts of one centred line, in text heights. */
const centredGapHeights = 4

/** The parts of a line centred below a centred cell, as one cell: `Hauptstr. 1   Hinterhaus   10115 Berlin`. */
function centredBelow(start: Cell, line: Line): Cell | null {
  const [first] = line.cells
  const last = line.cells.at(-1)
  if (start.line.cells.length > 1 || first === undefined || last === undefined || first === last) return null
  const slack = Math.max(start.line.height, line.height)
  const gaps = line.cells.slice(1).map((cell, index) => cell.x0 - (line.cells[index]?.x1 ?? cell.x0))
  const isCentred = Math.abs(start.x0 + start.x1 - first.x0 - last.x1) / 2 < slack * 0.5
  if (!isCentred || gaps.some((gap) => gap > centredGapHeights * slack)) return null
  const words = line.cells.flatMap((cell) => cell.words)
  return { words, text: line.cells.map((cell) => cell.text).join(' '), x0: first.x0, x1: last.x1, line, index: 0 }
}

/** The cells below a cell in its column, as long as they follow closely. */
export function columnBelow(sheet: Sheet, start: Cell, stop: (cell: Cell) => boolean): Cell[] {
  const cells: Cell[] = []
  let above: Cell = start
  const { page } = start.line
  for (let at = start.line.index + 1; at < page.lines.length && cells.length < blockLinesMax; at++) {
    const line = page.lines[at]
    if (line === undefined || line.y0 - above.line.y0 > blockPitchHeights * Math.max(line.height, above.line.height))
      break
    const cell =
      centredBelow(start, line) ?? line.cells.find((other) => isAligned(start, other) || isAligned(above, other))
    if (cell === undefined) continue
    if (inTable(sheet, cell)) break
    if (stop(cell)) break
    cells.push(cell)
    above = cell
  }
  return cells
}

/** A document number with its label, without a colon between them. */
const isNumberLine = (sheet: Sheet, cell: Cell): boolean =>
  (sheet.labels.get(cell) ?? []).some(
    (hit) =>
      hit.startsCell &&
      /\d/.test(hit.rest.text) &&
      hit.targets.some(
        (entry) =>
          entry.weight >= 0.9 &&
          /^c:(?:invoice_number|receipt_number|invoice_date|receipt_date|due_date|order_date)$/.test(entry.target),
      ),
  )

/** True for a label that ends a block: any but e-mail, phone or tax number. */
export const endsBlock = (sheet: Sheet, cell: Cell): boolean =>
  (isLabelCell(sheet.labels, cell) && !isContactLine(cell.text)) || isNumberLine(sheet, cell) || isTitle(cell.text)

/** Splits a line that holds name and address at a comma or dot. */
export function splitNameLine(line: BlockLine): { name: string; address: string } | null {
  for (const match of line.text.matchAll(/\s*[,·•|]\s+/g)) {
    const name = line.text.slice(0, match.index)
    const address = line.text.slice(match.index + match[0].length)
    if (/\d/.test(name)) return null
    if (/^(?:inc|ltd|llc|gmbh|co|s\.?\s?[al]|s\.?r\.?l|b\.?v|lda)\b/i.test(address)) continue
    if (/\d/.test(address) && addressScore(address) >= 0.35) return { name, address }
  }
  return null
}

export interface Origin {
  readonly party: Party
  readonly page: PageLayout
  readonly label: readonly PlacedWord[]
  readonly score: number
}

export const wordsOfPart = (line: BlockLine, text: string): PlacedWord[] => {
  const at = line.span.text.indexOf(text)
  return at < 0 ? [...line.span.words] : wordsWithin(line.span, at, at + text.length)
}

/** True for a label whose value is on the next line: `Write to :`. */
const isLabelOnly = (line: BlockLine): boolean => /^[\p{L}\s.'-]{1,24}:$/u.test(line.span.text.trim())

/** Parses a block: the first plain line is the name, further plain lines are the address, the rest is contact data. */
export function readBlock(lines: readonly BlockLine[], origin: Origin): PartyValue[] {
  const values: PartyValue[] = []
  const say = (kind: Kind, value: string, words: readonly PlacedWord[], factor = 1): void => {
    values.push({ ...origin, kind, value, words, score: origin.score * factor, alone: lines.length === 1 })
  }
  const plain: BlockLine[] = []
  for (const line of lines) {
    // Only records that the line belongs to the party.
    say('text', line.text, line.span.words)
    readContacts(line, say)
    if (line.text === '' || line.text.startsWith('(') || isContactLine(line.text) || isLabelOnly(line)) continue
    if (findDates(line.text).length > 0) break
    plain.push(line)
  }
  const [first, ...others] = joinNameTail(plain)
  if (first === undefined || !/\p{L}{2}/u.test(first.text)) return values
  if (isWordsOfLabels(tokensOf(first.text).map((token) => token.text))) return values
  const split = splitNameLine(first)
  if (split !== null && others.length < 3) {
    say('name', split.name, wordsOfPart(first, split.name))
    say('address', joinLines([split.address, ...others.map((line) => line.text)]), [
      ...wordsOfPart(first, split.address),
      ...others.flatMap((line) => line.span.words),
    ])
    return values
  }
  const startsWithAddress = addressScore(first.text) >= 0.6 && !looksLikeCompany(first.text)
  if (!startsWithAddress) say('name', first.text, first.span.words)
  const address = startsWithAddress ? plain : others
  const last = endOfAddress(address)
  const opening = address.findIndex((line) => addressScore(line.text) >= 0.3)
  const kept = address.slice(
    Math.max(0, Math.min(opening, 1)),
    last + 1 + (address[last + 1] !== undefined && isCountryTail(address[last + 1]) ? 1 : 0),
  )
  if (last >= 0)
    say(
      'address',
      joinLines(kept.map((line) => line.text)),
      kept.flatMap((line) => line.span.words),
    )
  return values
}

/** Index of the last line of the block's first address. */
function endOfAddress(lines: readonly BlockLine[]): number {
  const isTown = ({ text }: BlockLine): boolean => hasPostcode(text) && (!hasStreet(text) || /\s[·•|]\s/u.test(text))
  const town = lines.findIndex((line) => isTown(line) || isBarePostcode(line.text))
  const nextTown = lines.findIndex((line, at) => at > town + 1 && town >= 0 && isTown(line))
  const own = nextTown < 0 ? lines : lines.slice(0, town + 1)
  return own.findLastIndex((line) => addressScore(line.text) >= 0.3 || isBarePostcode(line.text))
}

/** A legal form on its own line belongs to the name above it: `… GmbH & Co.` / `KG`. */
function joinNameTail(lines: readonly BlockLine[]): readonly BlockLine[] {
  const [first, second, ...others] = lines
  if (first === undefined || second === undefined) return lines
  const isTail = second.text.split(' ').length <= 2 && hasLegalForm(second.text) && !/\d/.test(second.text)
  if (!isTail) return lines
  const span = spanOf(
    [...first.span.words, ...second.span.words],
    [...first.span.cells, ...second.span.cells],
    -Math.min(0, first.span.starts[0] ?? 0),
  )
  return [{ ...first, span, text: `${first.text} ${second.text}` }, ...others]
}

const isCountryTail = (line: BlockLine | undefined): boolean =>
  line !== undefined &&
  /^[\p{L}\s.]{3,30}$/u.test(line.text) &&
  line.text.split(' ').length <= 3 &&
  !isDocumentWord(line.text) &&
  !isWordsOfLabels(tokensOf(line.text).map((token) => token.text))

export function readContacts(
  line: BlockLine,
  say: (kind: Kind, value: string, words: readonly PlacedWord[], factor?: number) => void,
): void {
  const add = (kind: Kind, found: readonly TextMatch[]): void => {
    const [first] = found
    if (first !== undefined) say(kind, first.value, wordsWithin(line.span, first.start, first.end), 0.95)
  }
  const { text } = line.span
  add('email', findEmails(text))
  if (
    !/^\W*(?:fax|telefax|f\b)/i.test(text) &&
    /^(?:\W*(?:tel|tfno|phone|ph|fon|t[eé]l|tlf|mob|t\b)|\W*\+)/i.test(text)
  )
    add('phone', findPhones(text))
  else {
    const phone = phoneOfLine(text)
    if (phone !== null) add('phone', [phone])
  }
  const tax =
    /(?:fein|fiscal|fisc|ob[- ]?n(?:umme)?r|business no|vat|ust|umsatzsteuer|uid|tva|n\.?i\.?f|c\.?i\.?f|btw|iva|gst|tax|contribuinte|abn|ein)[^:]{0,24}?[:.\s]+(?=[A-Z]{0,4}[\s-]?\d)/i.exec(
      text,
    )
  if (tax === null) return
  const from = tax.index + tax[0].length
  add(
    'vat',
    readAs('vat', text.slice(from), plainConventions).map((reading) => ({
      start: from + reading.start,
      end: from + reading.end,
      value: reading.printed,
    })),
  )
}
