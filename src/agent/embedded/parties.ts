import { addressScore, hasLegalForm, isTitle, joinLines, looksLikeCompany } from './addresses.ts'
import type { Kind, Party } from './concepts.ts'
import { findDates } from './dates.ts'
import { findEmails, findIbans, findPhones, findUrls, findVatNumbers, type TextMatch } from './identifiers.ts'
import { isLabelCell, type LabelHit } from './labels.ts'
import { type Cell, type PageLayout, type PlacedWord, textOf } from './layout.ts'
import { inTable, overlapAcross, type Sheet } from './sheet.ts'
import { type Span, spanOfCell, wordsWithin } from './spans.ts'
import { squeeze, trimMarks } from './text.ts'

/** Something said of a party: its name, address, mail … */
export interface PartyValue {
  readonly party: Party
  readonly kind: Kind
  readonly value: string
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  readonly label: readonly PlacedWord[]
  readonly score: number
  /** True when nothing else stands in its block. */
  readonly alone: boolean
}

/** A line of a block with what it says. */
interface BlockLine {
  readonly span: Span
  readonly text: string
  readonly cell: Cell
}

const blockLinesMax = 9
/** Lines of a block follow each other within this many text heights, top to top. */
const blockPitchHeights = 2.3

const contactPattern =
  /^(?:[tfmew][.:]?\s*[:+(]?\s*[(+]?\d|(?:tel|telephone|tfno|tlfn?|phone|ph|fon|telefon|tel[eé]fono|telefoon|t[eé]l|tlf|fax|telefax|mobile|mob|hp|h\/p|e-?mail|mail|web|www|http|vat|ust|uid|tva|nif|cif|btw|p\.?\s?iva|partita|gst|sst|tax|abn|ein|iban|bic|swift|reg|co\.?\s?(?:reg|no)|company\s?(?:reg|no)|roc|siret|rcs|kvk|hrb|steuer|st\.?-?nr|contribuinte|nipc|cnpj|contact|attn|att|ansprechpartner|z\.?\s?hd|à l'attention|a la atenci|t\.a\.v|a\/c)\b)/i
const registrationPattern =
  /^\W*(?:co|company|reg|roc|business|gst|sst|tax|vat)\b.{0,30}\d|^\W*\(?\s?\d{3,}\s?-\s?[A-Z]\s?\)?\W*$|^\W*[A-Z]{0,4}\d{6,}(?:-[A-Z0-9])?\W*$|^\(?\d{6,}\s?-?\s?[A-Z]\)?$/i

/** True for a line that says how to reach or tax somebody, and is no part of name or address. */
export const isContactLine = (text: string): boolean =>
  contactPattern.test(text.trim()) ||
  registrationPattern.test(text.trim()) ||
  (findEmails(text).length > 0 && addressScore(text) < 0.4) ||
  (findUrls(text).length > 0 && addressScore(text) < 0.4) ||
  findIbans(text).length > 0

const lineOf = (cell: Cell, span = spanOfCell(cell)): BlockLine => ({ span, text: squeeze(trimMarks(span.text)), cell })

const isAligned = (cell: Cell, other: Cell): boolean => {
  const slack = Math.max(cell.line.height, other.line.height)
  const middles = Math.abs(cell.x0 + cell.x1 - other.x0 - other.x1) / 2
  return Math.abs(cell.x0 - other.x0) < slack * 0.8 || (middles < slack * 1.2 && overlapAcross(cell, other) > 0.5)
}

/** The cells below a cell in its column, as long as they stand close. */
export function columnBelow(sheet: Sheet, start: Cell, stop: (cell: Cell) => boolean): Cell[] {
  const cells: Cell[] = []
  let above: Cell = start
  const { page } = start.line
  for (let at = start.line.index + 1; at < page.lines.length && cells.length < blockLinesMax; at++) {
    const line = page.lines[at]
    if (line === undefined || line.y0 - above.line.y0 > blockPitchHeights * Math.max(line.height, above.line.height))
      break
    const cell = line.cells.find((other) => isAligned(start, other) || isAligned(above, other))
    if (cell === undefined) continue
    if (inTable(sheet, cell)) break
    if (stop(cell)) break
    cells.push(cell)
    above = cell
  }
  return cells
}

const partyLabels = /^(?:b:|c:(?:vendor|customer|recipient)_)/

/** Labels that end a block: those of other things than mail, telephone or tax number. */
const endsBlock = (sheet: Sheet, cell: Cell): boolean =>
  (isLabelCell(sheet.labels, cell) && !contactPattern.test(cell.text)) || isTitle(cell.text)

function blockOfLabel(sheet: Sheet, hit: LabelHit): BlockLine[] {
  const { cell } = hit
  const stop = (other: Cell): boolean => endsBlock(sheet, other)
  if (!hit.isWhole) {
    const first: BlockLine = lineOf(cell, hit.rest)
    return [first, ...columnBelow(sheet, cell, stop).map((other) => lineOf(other))]
  }
  const below = columnBelow(sheet, cell, stop).filter((other) => other.x0 > cell.x0 - cell.line.height * 2)
  const right = cell.line.cells[cell.index + 1]
  const rightIsValue =
    right !== undefined && !(sheet.labels.get(right) ?? []).some((other) => other.startsCell && other.coverage > 0.6)
  if (rightIsValue && (below.length === 0 || hit.hasColon))
    return [lineOf(right), ...columnBelow(sheet, right, stop).map((other) => lineOf(other))]
  return below.map((other) => lineOf(other))
}

/** Where a single line holds name and address, the comma or dot between them. */
function splitNameLine(line: BlockLine): { name: string; address: string } | null {
  for (const match of line.text.matchAll(/\s*[,·•|]\s+/g)) {
    const name = line.text.slice(0, match.index)
    const address = line.text.slice(match.index + match[0].length)
    if (/\d/.test(name)) return null
    if (/^(?:inc|ltd|llc|gmbh|co|s\.?\s?[al]|s\.?r\.?l|b\.?v|lda)\b/i.test(address)) continue
    if (/\d/.test(address) && addressScore(address) >= 0.35) return { name, address }
  }
  return null
}

interface Origin {
  readonly party: Party
  readonly page: PageLayout
  readonly label: readonly PlacedWord[]
  readonly score: number
}

const wordsOfText = (line: BlockLine, text: string): PlacedWord[] => {
  const at = line.span.text.indexOf(text)
  return at < 0 ? [...line.span.words] : wordsWithin(line.span, at, at + text.length)
}

/** Reads a block: its first plain line is the name, the other plain lines are the address, the rest says how to reach them. */
function readBlock(lines: readonly BlockLine[], origin: Origin): PartyValue[] {
  const values: PartyValue[] = []
  const say = (kind: Kind, value: string, words: readonly PlacedWord[], factor = 1): void => {
    values.push({ ...origin, kind, value, words, score: origin.score * factor, alone: lines.length === 1 })
  }
  const plain: BlockLine[] = []
  for (const line of lines) {
    readContacts(line, say)
    if (line.text === '' || isContactLine(line.text)) continue
    if (findDates(line.text).length > 0) break
    plain.push(line)
  }
  const [first, ...others] = plain
  if (first === undefined || !/\p{L}{2}/u.test(first.text)) return values
  const split = splitNameLine(first)
  if (split !== null && others.length < 3) {
    say('name', split.name, wordsOfText(first, split.name))
    say('address', joinLines([split.address, ...others.map((line) => line.text)]), [
      ...wordsOfText(first, split.address),
      ...others.flatMap((line) => line.span.words),
    ])
    return values
  }
  const startsWithAddress = addressScore(first.text) >= 0.6 && !looksLikeCompany(first.text)
  if (!startsWithAddress) say('name', first.text, first.span.words)
  const address = startsWithAddress ? plain : others
  const last = address.findLastIndex((line) => addressScore(line.text) >= 0.3)
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

const isCountryTail = (line: BlockLine | undefined): boolean =>
  line !== undefined && /^[\p{L}\s.]{3,30}$/u.test(line.text) && line.text.split(' ').length <= 3

function readContacts(
  line: BlockLine,
  say: (kind: Kind, value: string, words: readonly PlacedWord[], factor?: number) => void,
): void {
  const tell = (kind: Kind, found: readonly TextMatch[]): void => {
    const [first] = found
    if (first !== undefined) say(kind, first.value, wordsWithin(line.span, first.start, first.end), 0.95)
  }
  const { text } = line.span
  tell('email', findEmails(text))
  if (!/^\W*fax/i.test(text) && /^(?:\W*(?:tel|phone|ph|fon|t[eé]l|tlf|mob)|\W*\+)/i.test(text))
    tell('phone', findPhones(text))
  if (/vat|ust|uid|tva|nif|cif|btw|iva|gst|tax|contribuinte/i.test(text)) tell('vat', findVatNumbers(text))
}

/** The parties that stand in labelled blocks: `Bill to`, `From`, `Lieferadresse` … */
export function labelledParties(sheet: Sheet): PartyValue[] {
  const values: PartyValue[] = []
  for (const hits of sheet.labels.values()) {
    for (const hit of hits) {
      const target = hit.targets.find((entry) => entry.target.startsWith('b:'))
      if (target === undefined || !hit.startsCell || hit.coverage < 0.75 || !(hit.isWhole || hit.hasColon)) continue
      if (inTable(sheet, hit.cell)) continue
      const party = target.target.slice(2) as Party
      const label = wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
      const lines = blockOfLabel(sheet, hit)
      const origin = { party, page: hit.cell.line.page, label, score: target.weight * (0.7 + 0.25 * hit.coverage) }
      values.push(...readBlock(lines, origin))
    }
  }
  return values
}

/** Words of labelled blocks, which then are not the letterhead's. */
export const wordsOf = (values: readonly PartyValue[]): Set<PlacedWord> =>
  new Set(values.flatMap((value) => value.words))

interface Heading {
  readonly cell: Cell
  readonly text: string
  readonly score: number
  readonly below: readonly Cell[]
}

const domainPattern = /@([\p{L}\p{N}-]{3,})|(?:www\.|https?:\/\/(?:www\.)?)([\p{L}\p{N}-]{3,})/gu

function domainsOf(page: PageLayout): Set<string> {
  const domains = new Set<string>()
  for (const line of page.lines) {
    for (const cell of line.cells) {
      for (const match of cell.text.matchAll(domainPattern))
        domains.add((match[1] ?? match[2] ?? '').toLowerCase().replace(/[^a-z0-9]/g, ''))
    }
  }
  return domains
}

const matchesDomain = (text: string, domains: ReadonlySet<string>): boolean => {
  const compact = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')
  const first =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]/gu, '')
      .split(' ')[0] ?? ''
  return [...domains].some(
    (domain) => domain.length >= 4 && (compact.includes(domain) || (first.length >= 4 && domain.startsWith(first))),
  )
}

/** The part of the page that a letterhead takes, from the top. */
const headShare = 0.42
/** Lines of the head that are looked at. */
const headLinesMax = 40

function headCells(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): Cell[] {
  const top = page.lines[0]?.y0 ?? 0
  const bottom = page.lines.at(-1)?.y1 ?? page.height
  const limit = top + Math.max(page.height * headShare, (bottom - top) * headShare)
  const cells: Cell[] = []
  for (const line of page.lines.slice(0, headLinesMax)) {
    if (line.y0 > limit) break
    cells.push(...line.cells.filter((cell) => !inTable(sheet, cell) && !cell.words.some((word) => taken.has(word))))
  }
  return cells
}

function gradeHeading(sheet: Sheet, cell: Cell, rank: number, domains: ReadonlySet<string>): Heading | null {
  const text = squeeze(trimMarks(cell.text))
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 3 || text.length > 80 || isTitle(text) || isContactLine(text) || findDates(text).length > 0) return null
  if ((sheet.labels.get(cell) ?? []).some((hit) => hit.startsCell && (hit.isWhole || hit.hasColon))) return null
  if (/\d[.,]\d{2}$/.test(text) || letters < text.replace(/\s/g, '').length * 0.5) return null
  const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other))
  const size = cell.line.height / Math.max(cell.line.page.wordHeight, 1e-9)
  let score = Math.max(0, 0.36 - rank * 0.06)
  score += size > 1.7 ? 0.35 : size > 1.25 ? 0.25 : size > 1.1 ? 0.1 : 0
  if (hasLegalForm(text)) score += 0.35
  else if (looksLikeCompany(text)) score += 0.25
  if (matchesDomain(text, domains)) score += 0.35
  if (below.slice(0, 4).some((other) => addressScore(other.text) >= 0.5)) score += 0.15
  if (/\d/.test(text)) score -= 0.15
  if (addressScore(text) >= 0.5) score -= 0.45
  if (/[.!?]$/.test(text) && text.split(' ').length > 5) score -= 0.3
  if (
    (sheet.labels.get(cell) ?? []).some(
      (hit) => hit.startsCell && hit.coverage > 0.6 && hit.targets.every((entry) => !partyLabels.test(entry.target)),
    )
  )
    score -= 0.2
  return { cell, text, score, below }
}

/** A heading needs this much to be taken for the issuer's name. */
const headingScoreMin = 0.5

/** The letterhead: the issuer's name without a label, from place, size, legal form, mail domain and the address below. */
export function letterhead(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  const domains = domainsOf(page)
  const cells = headCells(sheet, page, taken)
  let rank = 0
  let best: Heading | null = null
  for (const cell of cells) {
    const heading = gradeHeading(sheet, cell, rank, domains)
    if (heading === null) continue
    rank++
    if (best === null || heading.score > best.score) best = heading
  }
  if (best === null || best.score < headingScoreMin) return []
  const score = Math.min(0.9, 0.35 + best.score * 0.55)
  const values: PartyValue[] = []
  const origin: Origin = { party: 'vendor', page, label: [], score }
  const name = nameWithTail(best)
  const split = splitNameLine(lineOf(best.cell))
  const nameText = split?.name ?? textOf(name.words)
  values.push({
    ...origin,
    kind: 'name',
    alone: false,
    value: squeeze(trimMarks(nameText)),
    words: split === null ? name.words : wordsOfText(lineOf(best.cell), split.name),
  })
  const rest = best.below.slice(name.lines).map((cell) => lineOf(cell))
  if (split !== null) {
    values.push({
      ...origin,
      alone: false,
      kind: 'address',
      value: split.address,
      words: wordsOfText(lineOf(best.cell), split.address),
    })
  } else {
    const address = addressRun(rest)
    if (address.length > 0) {
      values.push({
        ...origin,
        alone: false,
        kind: 'address',
        value: joinLines(address.map((line) => line.text)),
        words: address.flatMap((line) => line.span.words),
      })
    }
  }
  for (const line of rest) {
    readContacts(line, (kind, value, words, factor = 1) =>
      values.push({ ...origin, alone: false, kind, value, words, score: score * factor }),
    )
  }
  return values
}

/** A name that goes on in the next line: `POPULAR BOOK` / `CO. (M) SDN BHD`. */
function nameWithTail(heading: Heading): { words: readonly PlacedWord[]; lines: number } {
  const next = heading.below[0]
  if (next === undefined || hasLegalForm(heading.text) || addressScore(next.text) >= 0.3 || isContactLine(next.text)) {
    return { words: heading.cell.words, lines: 0 }
  }
  const isTail = hasLegalForm(next.text) && next.text.split(' ').length <= 5 && !/\d{4}/.test(next.text)
  return isTail ? { words: [...heading.cell.words, ...next.words], lines: 1 } : { words: heading.cell.words, lines: 0 }
}

/** The lines of an address among the lines below a name. */
function addressRun(lines: readonly BlockLine[]): BlockLine[] {
  const start = lines.findIndex((line) => addressScore(line.text) >= 0.35 && !isContactLine(line.text))
  if (start < 0 || start > 4) return []
  const run: BlockLine[] = []
  let closed = false
  for (const line of lines.slice(start)) {
    if (isContactLine(line.text) || isTitle(line.text) || findDates(line.text).length > 0) {
      closed = true
      break
    }
    run.push(line)
  }
  const last = run.findLastIndex((line) => addressScore(line.text) >= 0.3)
  return closed ? run.slice(0, Math.min(run.length, last + 2)) : run.slice(0, last + 1)
}

/** Blocks without a label that look like an addressee: a name over a street and a town. */
export function addressees(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  const seen = new Set<Cell>()
  const found: PartyValue[][] = []
  for (const cell of headCells(sheet, page, taken)) {
    if (seen.has(cell) || isTitle(cell.text) || isContactLine(cell.text) || isLabelCell(sheet.labels, cell)) continue
    const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other) || isContactLine(other.text)).filter(
      (other) => !other.words.some((word) => taken.has(word)),
    )
    for (const other of below) seen.add(other)
    const tail = below.slice(0, 5)
    if (
      tail.length < 2 ||
      addressScore(cell.text) >= 0.5 ||
      tail.filter((other) => addressScore(other.text) >= 0.45).length < 2
    )
      continue
    found.push(
      readBlock(
        [cell, ...tail].map((other) => lineOf(other)),
        { party: 'customer', page, label: [], score: 0.62 },
      ),
    )
  }
  return found.length === 1 ? (found[0] ?? []) : []
}
