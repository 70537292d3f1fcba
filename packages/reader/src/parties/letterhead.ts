import { isLabelCell } from '../labels/labels.ts'
import { isDocumentWord } from '../languages/document-words.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import { type PlacedWord, textOf } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { phraseOf, squeeze, trimMarks } from '../layout/text.ts'
import { addressScore, hasLegalForm, hasPostcode, isTitle, joinLines, looksLikeBank } from '../values/addresses.ts'
import {
  blockLineOf,
  columnBelow,
  endsBlock,
  isAttention,
  isContactLine,
  type Origin,
  type PartyValue,
  readBlock,
  readContacts,
  splitNameLine,
  wordsOfPart,
} from './blocks.ts'
import {
  domainsOf,
  footerHeading,
  gradeHeading,
  type Heading,
  headerCells,
  matchesDomain,
  wholeName,
  withoutRegistration,
} from './headings.ts'
import { addressOf } from './letterhead-address.ts'

/** The minimum score of a heading to be the issuer's name. */
const headingScoreMin = 0.5

/** The letterhead: the unlabelled name of the issuer, from position, size, legal form, e-mail domain and the address below. */
export function letterhead(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  return headedBy(sheet, page, { cells: headerCells(sheet, page, taken), scoreMin: headingScoreMin })
}

/** The letterhead of a bank: only names in the header that are names of banks. */
export function bankLetterhead(sheet: Sheet, page: PageLayout, taken: ReadonlySet<PlacedWord>): PartyValue[] {
  const isBank = (cell: Cell): boolean =>
    looksLikeBank(cell.text) && !/\d/.test(cell.text) && cell.words.length <= bankWordsMax
  const cells = headerCells(sheet, page, taken).filter(isBank)
  const found = headedBy(sheet, page, { cells, scoreMin: bankScoreMin })
  if (found.length > 0) return found
  for (const other of sheet.pages.filter(({ document }) => document === page.document).toReversed()) {
    const foot = headedBy(sheet, other, { cells: cellsBelowTables(sheet, other).filter(isBank), scoreMin: 0 })
    if (foot.length > 0) return foot
  }
  return []
}

/** The cells below the last table of a page, where a statement may name its bank. */
function cellsBelowTables(sheet: Sheet, page: PageLayout): Cell[] {
  const last = Math.max(
    -1,
    ...sheet.tables.flatMap(({ lines }) => lines.filter((line) => line.page === page).map((line) => line.index)),
  )
  return last < 0 ? [] : page.lines.slice(last + 1).flatMap((line) => line.cells)
}

const bankWordsMax = 7
/** The minimum score of a name that contains a word for bank. */
const bankScoreMin = 0.3

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
  // A company in the footer that matches the web address is the issuer; the name at the top is then the addressee's.
  const isNamedAtFoot = footer !== null && hasLegalForm(footer.text) && page.page.source !== 'ocr'
  if (footer !== null && (best === null || (isNamedAtFoot && !matchesDomain(best.text, domains)))) best = footer
  if (best === null || best.score < search.scoreMin) return []
  const score = Math.min(0.9, 0.35 + best.score * 0.55)
  const values: PartyValue[] = []
  const origin: Origin = { party: 'vendor', page, label: [], score }
  const name = wholeName(best)
  const split = splitNameLine(blockLineOf(best.cell))
  const nameText = split?.name ?? textOf(name.words)
  values.push({
    ...origin,
    kind: 'name',
    alone: false,
    value: withoutRegistration(squeeze(trimMarks(nameText))),
    words: split === null ? name.words : wordsOfPart(blockLineOf(best.cell), split.name),
  })
  const rest = best.below.slice(name.lines).map((cell) => blockLineOf(cell))
  if (split !== null) {
    values.push({
      ...origin,
      alone: false,
      kind: 'address',
      value: split.address,
      words: wordsOfPart(blockLineOf(best.cell), split.address),
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

/** True for a line with street, postcode and town. */
const isWholeAddress = (text: string): boolean =>
  hasPostcode(text) && addressScore(text) >= 0.6 && /\p{L}{3}.*[,·•|–-]\s.*\p{L}{3}/u.test(text)

/** Unlabelled blocks that look like an addressee: a name above a street and a town. `names` are those of the other party. */
export function addressees(
  sheet: Sheet,
  page: PageLayout,
  { taken, names }: { readonly taken: ReadonlySet<PlacedWord>; readonly names: ReadonlySet<string> },
): PartyValue[] {
  const seen = new Set<Cell>()
  const found: PartyValue[][] = []
  for (const cell of headerCells(sheet, page, taken)) {
    if (names.has(phraseOf(cell.text))) continue
    if (
      seen.has(cell) ||
      isTitle(cell.text) ||
      isDocumentWord(cell.text) ||
      isContactLine(cell.text) ||
      isLabelCell(sheet.labels, cell)
    )
      continue
    const below = columnBelow(
      sheet,
      cell,
      (other) => endsBlock(sheet, other) || (isContactLine(other.text) && !isAttention(other.text)),
    ).filter((other) => !other.words.some((word) => taken.has(word)))
    for (const other of below) seen.add(other)
    const [only] = below
    if (only !== undefined && isWholeAddress(only.text) && !/\d/.test(cell.text)) {
      const lines = [blockLineOf(cell), blockLineOf(only)]
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
        [cell, ...tail].map((other) => blockLineOf(other)),
        { party: 'customer', page, label: [], score: 0.62 },
      ),
    )
  }
  return found.length === 1 ? (found[0] ?? []) : []
}
