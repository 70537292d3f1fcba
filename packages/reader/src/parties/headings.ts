import { isDocumentWord } from '../languages/document-words.ts'
import { isWordsOfLabels } from '../languages/label-words.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import { type PlacedWord, textOf } from '../layout/placed-words.ts'
import { inTable, overlapAcross, type Sheet } from '../layout/sheet.ts'
import { squeeze, tokensOf, trimMarks } from '../layout/text.ts'
import { addressScore, hasLegalForm, isTitle, looksLikeCompany } from '../values/addresses.ts'
import { findDates } from '../values/dates.ts'
import { columnBelow, endsBlock, isContactLine } from './blocks.ts'

const partyLabels = /^(?:b:|c:(?:vendor|customer|recipient)_)/

export interface Heading {
  readonly cell: Cell
  readonly text: string
  readonly score: number
  readonly below: readonly Cell[]
}

const domainPattern = /@([\p{L}\p{N}-]{3,})|(?:www\.|https?:\/\/(?:www\.)?)([\p{L}\p{N}-]{3,})/gu

export function domainsOf(page: PageLayout): Set<string> {
  const domains = new Set<string>()
  for (const line of page.lines) {
    for (const cell of line.cells) {
      for (const match of cell.text.matchAll(domainPattern))
        domains.add((match[1] ?? match[2] ?? '').toLowerCase().replace(/[^a-z0-9]/g, ''))
    }
  }
  return domains
}

export const matchesDomain = (text: string, domains: ReadonlySet<string>): boolean => {
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

/** The share of the page that a letterhead takes, from the top. */
const headerShare = 0.42
/** The maximum number of header lines examined. */
const headerLinesMax = 40

export function headerCells(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): Cell[] {
  const top = page.lines[0]?.y0 ?? 0
  const bottom = page.lines.at(-1)?.y1 ?? page.height
  const limit = top + Math.max(page.height * headerShare, (bottom - top) * headerShare)
  const cells: Cell[] = []
  for (const line of page.lines.slice(0, headerLinesMax)) {
    if (line.y0 > limit) break
    cells.push(...line.cells.filter((cell) => !inTable(sheet, cell) && !cell.words.some((word) => taken.has(word))))
  }
  return cells
}

const registrationTail =
  /\s*[([]?\s*(?:(?:co|company|reg|roc|brn)\.?\s*(?:reg\.?)?\s*(?:no)?\.?\s*:?\s*)?[A-Z]{0,2}\d{4,}\s?-?\s?[A-Z]?\s?[)\]]?$/i

/** A name without the registration number after it: `… SDN BHD (519537-X)`. */
export const withoutRegistration = (text: string): string => text.replace(registrationTail, '').trim()

/** True when the cell to the left is a label, so that this cell is its value. */
function isValueOfLabel(sheet: Sheet, cell: Cell): boolean {
  const before = cell.line.cells[cell.index - 1]
  return (
    before !== undefined &&
    !isTitle(before.text) &&
    (sheet.labels.get(before) ?? []).some((hit) => hit.startsCell && hit.isWhole && hit.coverage >= 0.75)
  )
}

export function gradeHeading(sheet: Sheet, cell: Cell, rank: number, domains: ReadonlySet<string>): Heading | null {
  const text = withoutRegistration(squeeze(trimMarks(cell.text)))
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (
    letters < 3 ||
    text.length > 80 ||
    isTitle(text) ||
    isDocumentWord(text) ||
    isContactLine(text) ||
    findDates(text).length > 0
  )
    return null
  if ((sheet.labels.get(cell) ?? []).some((hit) => hit.startsCell && (hit.isWhole || hit.hasColon))) return null
  if (
    /^\(/.test(text) ||
    isValueOfLabel(sheet, cell) ||
    /\b(?:details|information|info|summary|description|voucher|confirmation|charges|copy)$/i.test(text)
  )
    return null
  if (/\d[.,]\d{2}$/.test(text) || letters < text.replace(/\s/g, '').length * 0.5) return null
  if (isWordsOfLabels(tokensOf(text).map((token) => token.text))) return null
  const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other))
  const size = cell.line.height / Math.max(cell.line.page.wordHeight, 1e-9)
  let score = Math.max(0, 0.36 - rank * 0.06)
  // Boxes of recognised words, those of a scan's text layer among them, say little about the type size.
  score += size > 1.7 ? 0.175 : size > 1.25 ? 0.125 : size > 1.1 ? 0.05 : 0
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

/** The maximum number of lines of a page footer. */
const footerLinesMax = 12

/** A company in the footer whose name matches the page's web or e-mail domain. */
export function footerHeading(sheet: Sheet, page: PageLayout, domains: ReadonlySet<string>): Heading | null {
  if (domains.size === 0) return null
  for (const line of page.lines.slice(-footerLinesMax)) {
    for (const cell of line.cells) {
      const text = withoutRegistration(squeeze(trimMarks(cell.text)))
      if (inTable(sheet, cell) || text.length > 50 || /\d/.test(text) || !matchesDomain(text, domains)) continue
      if (isContactLine(text) || addressScore(text) >= 0.5 || !(hasLegalForm(text) || text.split(' ').length <= 5))
        continue
      const below = columnBelow(sheet, cell, (other) => endsBlock(sheet, other))
      return { cell, text, score: 0.65, below }
    }
  }
  return null
}

/** A name that continues on the next line: `POPULAR BOOK` / `CO. (M) SDN BHD`. */
export function wholeName(heading: Heading): { words: readonly PlacedWord[]; lines: number } {
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
