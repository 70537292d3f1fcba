import {
  addressScore,
  hasLegalForm,
  hasPostcode,
  isTitle,
  joinLines,
  looksLikeBank,
  looksLikeCompany,
} from './addresses.ts'
import {
  type BlockLine,
  columnBelow,
  endsBlock,
  isAttention,
  isContactLine,
  lineOf,
  type Origin,
  type PartyValue,
  readBlock,
  readContacts,
  splitNameLine,
  wordsOfText,
} from './blocks.ts'
import { findDates } from './dates.ts'
import { findPhones } from './identifiers.ts'
import { isLabelCell } from './labels.ts'
import { type Cell, type PageLayout, type PlacedWord, textOf } from './layout.ts'
import { inTable, overlapAcross, type Sheet } from './sheet.ts'
import { spanFrom, spanUntil } from './spans.ts'
import { phraseOf, squeeze, trimMarks } from './text.ts'

const partyLabels = /^(?:b:|c:(?:vendor|customer|recipient)_)/

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

const registrationTail =
  /\s*[([]?\s*(?:(?:co|company|reg|roc|brn)\.?\s*(?:reg\.?)?\s*(?:no)?\.?\s*:?\s*)?[A-Z]{0,2}\d{4,}\s?-?\s?[A-Z]?\s?[)\]]?$/i

/** A name without the number of registration that stands behind it: `… SDN BHD (519537-X)`. */
const withoutRegistration = (text: string): string => text.replace(registrationTail, '').trim()

/** True when the cell to the left is a label: then this is its value. */
function isValueOfLabel(sheet: Sheet, cell: Cell): boolean {
  const before = cell.line.cells[cell.index - 1]
  return (
    before !== undefined &&
    (sheet.labels.get(before) ?? []).some((hit) => hit.startsCell && hit.isWhole && hit.coverage >= 0.75)
  )
}

function gradeHeading(sheet: Sheet, cell: Cell, rank: number, domains: ReadonlySet<string>): Heading | null {
  const text = withoutRegistration(squeeze(trimMarks(cell.text)))
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters < 3 || text.length > 80 || isTitle(text) || isContactLine(text) || findDates(text).length > 0) return null
  if ((sheet.labels.get(cell) ?? []).some((hit) => hit.startsCell && (hit.isWhole || hit.hasColon))) return null
  if (
    /^\(/.test(text) ||
    isValueOfLabel(sheet, cell) ||
    /\b(?:details|information|info|summary|description|voucher|confirmation|charges|copy)$/i.test(text)
  )
    return null
  if (/\d[.,]\d{2}$/.test(text) || letters < text.replace(/\s/g, '').length * 0.5) return null
  const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other))
  const size = cell.line.height / Math.max(cell.line.page.wordHeight, 1e-9)
  let score = Math.max(0, 0.36 - rank * 0.06)
  // The boxes of a recogniser tell little of the size of type.
  const trust = cell.line.page.page.source === 'ocr' ? 0.5 : 1
  score += (size > 1.7 ? 0.35 : size > 1.25 ? 0.25 : size > 1.1 ? 0.1 : 0) * trust
  if (hasLegalForm(text)) score += 0.35
  else if (looksLikeCompany(text)) score += 0.3
  if (matchesDomain(text, domains)) score += 0.35
  if (below.slice(0, 7).some((other) => addressScore(other.text) >= 0.5)) score += 0.15
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
  return headedBy(sheet, page, { cells: headCells(sheet, page, taken), scoreMin: headingScoreMin })
}

/** The letterhead of a bank: of the names in the head only those that name a bank. Empty when none does. */
export function bankLetterhead(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  const cells = headCells(sheet, page, taken).filter(
    (cell) => looksLikeBank(cell.text) && !/\d/.test(cell.text) && cell.words.length <= bankWordsMax,
  )
  return headedBy(sheet, page, { cells, scoreMin: bankScoreMin })
}

const bankWordsMax = 7
/** A name that says that it is a bank's needs less else to speak for it. */
const bankScoreMin = 0.3

/** Lines at the end of a page that its footer may take. */
const footerLinesMax = 12

/** A company in the footer whose name the page's web or mail addresses carry. */
function footerHeading(sheet: Sheet, page: PageLayout, domains: ReadonlySet<string>): Heading | null {
  if (domains.size === 0) return null
  for (const line of page.lines.slice(-footerLinesMax)) {
    for (const cell of line.cells) {
      const text = withoutRegistration(squeeze(trimMarks(cell.text)))
      if (inTable(sheet, cell) || text.length > 50 || !hasLegalForm(text) || !matchesDomain(text, domains)) continue
      if (isContactLine(text) || addressScore(text) >= 0.5) continue
      const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other))
      return { cell, text, score: 0.65, below }
    }
  }
  return null
}

function headedBy(
  sheet: Sheet,
  page: PageLayout,
  search: { readonly cells: readonly Cell[]; readonly scoreMin: number },
): PartyValue[] {
  const domains = domainsOf(page)
  let rank = 0
  let best: Heading | null = null
  for (const cell of search.cells) {
    const heading = gradeHeading(sheet, cell, rank, domains)
    if (heading === null) continue
    rank++
    if (best === null || heading.score > best.score) best = heading
  }
  const footer = footerHeading(sheet, page, domains)
  // A name in the footer that goes with the web address is the issuer's; the one at the top is then the addressee's.
  if (
    footer !== null &&
    (best === null || !matchesDomain(best.text, domains)) &&
    best?.cell.line.page.page.source !== 'ocr'
  )
    best = footer
  if (best === null || best.score < search.scoreMin) return []
  const score = Math.min(0.9, 0.35 + best.score * 0.55)
  const values: PartyValue[] = []
  const origin: Origin = { party: 'vendor', page, label: [], score }
  const name = wholeName(best)
  const split = splitNameLine(lineOf(best.cell))
  const nameText = split?.name ?? textOf(name.words)
  values.push({
    ...origin,
    kind: 'name',
    alone: false,
    value: withoutRegistration(squeeze(trimMarks(nameText))),
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
    const address = addressOf(rest, values[0]?.value ?? '', sheet, best.cell)
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
function wholeName(heading: Heading): { words: readonly PlacedWord[]; lines: number } {
  const words = [...heading.cell.words]
  const above = headingAbove(heading)
  if (above !== null) words.unshift(...above.words)
  let lines = 0
  for (const next of heading.below.slice(0, nameTailLinesMax)) {
    const text = withoutRegistration(next.text)
    const soFar = textOf(words)
    const isOpen = /(?:&|\band|\bund|\bet|,)$/iu.test(soFar)
    const isTail = opensWithTail.test(text) || (hasLegalForm(text) && !hasLegalForm(soFar))
    if (
      !(isOpen || isTail) ||
      addressScore(text) >= 0.5 ||
      isContactLine(next.text) ||
      isTitle(text) ||
      text.split(' ').length > 6
    )
      break
    words.push(...next.words)
    lines++
  }
  return { words, lines }
}

const nameTailLinesMax = 2
const opensWithTail = /^(?:sdn|bhd|s\/b|co\.|cp\.|\(m\)|enterprise|ltd|limited|gmbh|inc\b|llc|& |and co)/i

/** The line above, when the heading is only the end of a name: a legal form with little before it. */
function headingAbove(heading: Heading): Cell | null {
  const { line } = heading.cell
  if (!opensWithTail.test(heading.text)) return null
  const above = line.page.lines[line.index - 1]
  const cell = above?.cells.find((other) => overlapAcross(other, heading.cell) > 0.5)
  if (above === undefined || cell === undefined || line.y0 - above.y1 > line.height * 2.2) return null
  return isTitle(cell.text) || isContactLine(cell.text) || /\d/.test(cell.text) ? null : cell
}

/** The address below a name, on the sender's line of a letter, or below the same name at another place of the page. */
function addressOf(below: readonly BlockLine[], name: string, sheet: Sheet, heading: Cell): BlockLine[] {
  const [first] = below
  const sender = first === undefined ? null : senderLine(first, name)
  if (sender !== null) return [sender]
  const run = addressRun(below)
  if (run.length > 0) return run
  const wanted = phraseOf(name)
  for (const line of heading.line.page.lines) {
    for (const cell of line.cells) {
      if (cell === heading || inTable(sheet, cell)) continue
      const elsewhere = senderLine(lineOf(cell), name)
      if (elsewhere !== null) return [elsewhere]
      if (phraseOf(cell.text) !== wanted) continue
      const found = addressRun(
        columnBelow(sheet, cell, (other) => endsBlock(sheet, other)).map((other) => lineOf(other)),
      )
      if (found.length > 0) return found
    }
  }
  return []
}

/** The address behind the name on a line that opens with it. */
function senderLine(line: BlockLine, name: string): BlockLine | null {
  if (name.length < 3 || !line.text.startsWith(name) || line.text.length < name.length + 8) return null
  const text = squeeze(trimMarks(line.text.slice(name.length).replace(/^[\s,.·•|–—-]+/u, '')))
  if (addressScore(text) < 0.5) return null
  const at = line.span.text.indexOf(text)
  return at < 0 ? null : { ...line, text, span: spanFrom(line.span, at) }
}

/** The lines of an address among the lines below a name. */
function addressRun(lines: readonly BlockLine[]): BlockLine[] {
  const start = lines.findIndex(
    (line) => addressScore(line.text) >= 0.35 && !isContactLine(line.text) && findDates(line.text).length === 0,
  )
  if (start < 0 || start > 5) return []
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
  const tail = run.slice(last + 1)
  const isPlace = ({ text }: BlockLine): boolean =>
    /^\d{5}[.,]?$/.test(text) ||
    (/^[\p{L}\d\s.,'()-]{3,40}$/u.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.55)
  const isComma = run[last]?.text.endsWith(',') === true
  // Names of places at the end belong to the address when something else closes it right after them.
  const tailMax = closed || isComma ? 2 : 1
  const kept = tail.length <= tailMax && tail.every(isPlace) ? run : run.slice(0, last + 1)
  return kept.map(withoutPhone)
}

/** An address line without the telephone number that stands behind it. */
function withoutPhone(line: BlockLine): BlockLine {
  const phone = findPhones(line.text).at(-1)
  if (phone === undefined || phone.end < line.text.length - 1 || phone.start < 8) return line
  const text = squeeze(trimMarks(line.text.slice(0, phone.start)))
  const at = line.span.text.indexOf(text)
  return at < 0 ? line : { ...line, text, span: spanUntil(line.span, at + text.length) }
}

/** True for a line that holds street and town with its postcode. */
const isWholeAddress = (text: string): boolean =>
  hasPostcode(text) && addressScore(text) >= 0.6 && /\p{L}{3}.*[,·•|–-]\s.*\p{L}{3}/u.test(text)

/** Blocks without a label that look like an addressee: a name over a street and a town. */
export function addressees(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  const seen = new Set<Cell>()
  const found: PartyValue[][] = []
  for (const cell of headCells(sheet, page, taken)) {
    if (seen.has(cell) || isTitle(cell.text) || isContactLine(cell.text) || isLabelCell(sheet.labels, cell)) continue
    const below = columnBelow(
      sheet,
      cell,
      (other) => endsBlock(sheet, other) || (isContactLine(other.text) && !isAttention(other.text)),
    ).filter((other) => !other.words.some((word) => taken.has(word)))
    for (const other of below) seen.add(other)
    const [only] = below
    if (only !== undefined && isWholeAddress(only.text) && !/\d/.test(cell.text)) {
      const lines = [lineOf(cell), lineOf(only)]
      found.push(readBlock(lines, { party: 'customer', page, label: [], score: 0.62 }))
      continue
    }
    const tail = below.slice(0, 5)
    if (
      tail.length < 2 ||
      addressScore(cell.text) >= 0.5 ||
      tail.filter((other) => addressScore(other.text) >= 0.35).length < 2 ||
      !tail.some((other) => addressScore(other.text) >= 0.55)
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
