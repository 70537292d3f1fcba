import { findConcept } from '../languages/concepts.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import { correctWord, longestPhrase, type PhraseBook, type PhraseTarget } from '../languages/phrase-book.ts'
import { type Cell, type Line, type PageLayout, spaceOn } from '../layout/layout.ts'
import { numberingOf } from '../layout/numbering.ts'
import { type Span, spanFrom, spanOfCell, spanUntil } from '../layout/spans.ts'
import { partEnd, tokensOf } from '../layout/text.ts'

/** A label on a page and its possible meanings. */
export interface LabelHit {
  readonly targets: readonly PhraseTarget[]
  readonly cell: Cell
  /** Offsets `[start, end)` of the label in the cell's text. */
  readonly start: number
  readonly end: number
  /** The text after the label in its cell, up to the next label. */
  readonly rest: Span
  /** The share of the label's words that the phrase covers, 0 to 1. */
  readonly coverage: number
  readonly startsCell: boolean
  /** True when the cell holds nothing but the label. */
  readonly isWhole: boolean
  readonly hasColon: boolean
}

/** The labels of a page by cell. */
export type LabelIndex = ReadonlyMap<Cell, readonly LabelHit[]>

/** Words that do not change the meaning of a label. */
const neutral = new Set(
  (
    'del dal della dei vom von zum des until the of your our ihre ihr unsere unser votre notre su nuestra nuestro vostro uw ons sua nossa vosso de la le el il der die das des du d l for to in a ' +
    'no nr n num rm usd eur gbp chf inr incl inclusive excl exclusive including excluding inkl zzgl plus gst vat mwst ust tva iva btw tax taxes this ' +
    'total amount date number is was as at on en em al per payable'
  ).split(' '),
)

interface Found {
  readonly from: number
  readonly to: number
  readonly targets: readonly PhraseTarget[]
}

interface CellTokens {
  readonly words: string[]
  readonly starts: number[]
  readonly ends: number[]
}

/** Only the first tokens of a cell are searched for labels; later ones are running text. */
const cellTokensMax = 60

/** `Betrag / Amount` is one label in two languages, with the meanings that both share. */
function joinLanguages(found: readonly Found[], tokens: CellTokens, text: string): Found[] {
  const joined: Found[] = []
  for (const entry of found) {
    const last = joined.at(-1)
    const between = last === undefined ? '' : text.slice(tokens.ends[last.to - 1] ?? 0, tokens.starts[entry.from] ?? 0)
    if (last === undefined || !/^[\s.:)]*\/\s*$/.test(between)) {
      joined.push(entry)
      continue
    }
    const both = last.targets.filter((target) => entry.targets.some((other) => other.target === target.target))
    joined[joined.length - 1] = {
      from: last.from,
      to: entry.to,
      targets: both.length > 0 ? strongest(last.targets, entry.targets, both) : last.targets,
    }
  }
  return joined
}

const strongest = (
  a: readonly PhraseTarget[],
  b: readonly PhraseTarget[],
  both: readonly PhraseTarget[],
): PhraseTarget[] =>
  both.map(({ target }) => {
    const weights = [...a, ...b].filter((entry) => entry.target === target).map((entry) => entry.weight)
    return { target, weight: Math.max(...weights) }
  })

/** True when a word starts a signed amount, like the currency in `Total: -EUR 5.00`; the label ends before it. */
const opensSigned = (text: string, start: number): boolean =>
  '-–−('.includes(text.charAt(start - 1)) && /(?:[:：]\s*[-–−(]|\s[-–−])$/u.test(text.slice(0, start))

function findPhrases(tokens: CellTokens, book: PhraseBook, text: string): Found[] {
  const found: Found[] = []
  const signed = tokens.starts.flatMap((start, index) => (opensSigned(text, start) ? [index] : []))
  for (let at = 0; at < tokens.words.length; at++) {
    const stop = signed.find((index) => index > at)
    const match = longestPhrase(book, stop === undefined ? tokens.words : tokens.words.slice(0, stop), at)
    if (match === null) continue
    found.push({ from: at, to: at + match.length, targets: match.targets })
    at += match.length - 1
  }
  return joinLanguages(found, tokens, text)
}

/** Length of a bracket that follows immediately, closed or not. */
const bracketEnd = (text: string): number => /^\s*\([^)]{0,40}\)?/.exec(text)?.[0].length ?? 0

const colonPattern = /^[^\p{L}\p{N}]{0,3}[:：]/u

/** The end of the label including brackets and a few words up to a colon. */
function labelEnd(text: string, end: number): { readonly end: number; readonly hasColon: boolean } {
  const after = text.slice(end, end + 48)
  const bracket = /^\s*\([^)]{0,40}\)?/.exec(after)
  let at = bracket === null || !/\p{L}/u.test(bracket[0]) || !/\)$/.test(bracket[0]) ? 0 : bracket[0].length
  const tail = after.slice(at)
  const colon = colonPattern.exec(tail)
  if (colon !== null) return { end: end + at + colon[0].length, hasColon: true }
  const words = /^(?:\s+[\p{L}.&%/-]{1,16}){1,3}\s?:/u.exec(tail)
  if (words !== null) return { end: end + at + words[0].length, hasColon: true }
  const marks = /^[\s.#*=\-–—>]*/u.exec(tail)
  // A minus in front of a number belongs to the number.
  at += (marks?.[0] ?? '').replace(/[-–—]+$/u, '').length
  return { end: end + at, hasColon: false }
}

/** A gap of so many spaces before a word parts texts. */
const apartSpaces = 1.8

/** True when a wide gap is before the word at an offset: `Passenger: Ann Lee   Ticket number: 117`. */
function isApart(cell: Cell, starts: Span['starts'], offset: number): boolean {
  const at = starts.indexOf(offset)
  const [before, word] = [cell.words[at - 1], cell.words[at]]
  return before !== undefined && word !== undefined && word.x0 - before.x1 > apartSpaces * spaceOn(cell.line.page)
}

function coverageOf(
  { cell, tokens, starts }: { cell: Cell; tokens: CellTokens; starts: Span['starts'] },
  found: Found,
  after: Found | undefined,
  labelStop: number,
): number {
  let foreign = 0
  for (let index = found.from - 1; index >= 0; index--) {
    const word = tokens.words[index] ?? ''
    const between = cell.text.slice(tokens.ends[index] ?? 0, tokens.starts[index + 1] ?? 0)
    if (/\d/.test(word) || /[:;|,/—–·•]/u.test(between) || isApart(cell, starts, tokens.starts[index + 1] ?? 0)) break
    if (!neutral.has(word)) foreign++
  }
  for (let index = found.to; index < (after?.from ?? tokens.words.length); index++) {
    if ((tokens.starts[index] ?? 0) >= labelStop) break
    const word = tokens.words[index] ?? ''
    if (/\d/.test(word) || neutral.has(word)) continue
    const inBrackets = /\([^)]*$/.test(cell.text.slice(0, tokens.starts[index] ?? 0))
    if (!inBrackets) foreign++
  }
  // `Gross pay to date` is not the gross pay.
  if (tokens.words[found.to] === 'to' && tokens.words[found.to + 1] === 'date') foreign++
  const own = found.to - found.from
  return own / (own + foreign)
}

function labelsOfCell(cell: Cell, book: PhraseBook, mend: boolean): LabelHit[] {
  const numbering = numberingOf(cell)
  const all = tokensOf(cell.text)
    .filter(({ start }) => start >= numbering)
    .slice(0, cellTokensMax)
  const tokens: CellTokens = {
    words: all.map((token) => (mend ? correctWord(book, token.text) : token.text)),
    starts: all.map((token) => token.start),
    ends: all.map((token) => token.end),
  }
  const known = findPhrases(tokens, book, cell.text)
  const read = readWords(cell, tokens, known)
  const found = read === null ? known : [read, ...known.filter((entry) => entry.from >= read.to)]
  if (found.length === 0) return []
  const span = spanOfCell(cell)
  const place = { cell, tokens, starts: span.starts }
  return found.map((entry, index) => {
    const start = tokens.starts[entry.from] ?? 0
    const end = tokens.ends[entry.to - 1] ?? start
    const stop = labelEnd(cell.text, end)
    const next = found
      .slice(index + 1)
      .find((other) => (tokens.starts[other.from] ?? 0) >= stop.end && opensLabel(cell, tokens, other))
    const last = next === undefined ? span.text.length : (tokens.starts[next.from] ?? span.text.length)
    const rest = spanFrom(spanUntil(span, Math.min(last, partEnd(cell.text, stop.end))), stop.end)
    const label = cell.text.slice(start, Math.max(stop.end, end + bracketEnd(cell.text.slice(end))))
    const isCarried = isOfPage({ before: cell.text.slice(0, start), own: label, behind: cell.text.slice(end) })
    return {
      targets: isCarried ? withoutSums(entry.targets) : qualify(entry.targets, label),
      cell,
      start,
      end,
      rest,
      coverage: coverageOf(place, entry, found[index + 1], stop.hasColon ? stop.end : 0),
      startsCell:
        entry.from === 0 ||
        /^[\p{L} .#'’-]{2,32}\/\s*$/u.test(cell.text.slice(0, start)) ||
        /\s[—–·•|]\s*$/u.test(cell.text.slice(0, start)) ||
        all.slice(0, entry.from).every((token) => neutral.has(token.text)),
      isWhole:
        (!/[\p{L}\p{N}]/u.test(rest.text) || /^\s*\/\s*\p{L}[\p{L} .#'’-]{0,32}:?$/u.test(rest.text)) &&
        next === undefined,
      hasColon: stop.hasColon,
    }
  })
}

/** The label of another kind of number: `Job reference`. */
const isOtherNumber = (words: readonly string[]): boolean =>
  words.length > 1 && words.some((word) => /^(?:no|id|ref|reference|code|nummer|\w+nummer|\w+nr)$/.test(word))

/** The weight from which on a phrase is known and needs no word-by-word analysis. */
const knownWeight = 0.9

/** The label at the start of a cell, composed from its words where the full phrase is unknown. */
function readWords(cell: Cell, tokens: CellTokens, known: readonly Found[]): Found | null {
  const colon = /^[^:：]{2,48}[:：](?!\/)/u.exec(cell.text)?.[0].length ?? null
  // A rate in front of, after or within a label is not its value: `7 % Tax payable`.
  const isRate = (at: number): boolean =>
    /^(?:[\d.,]*)\s?%/.test(cell.text.slice(tokens.starts[at] ?? 0)) && /^\d+$/.test(tokens.words[at] ?? '')
  const digit = tokens.words.findIndex((word, at) => /\d/.test(word) && !isRate(at) && !isRate(at + 1))
  const stop = colon === null ? digit : tokens.starts.findIndex((start) => start >= colon)
  let to = stop < 0 ? tokens.words.length : stop
  // The word in front of the value may belong to it: the month of a date.
  if (colon === null && stop > 1 && meaningOfWords(tokens.words.slice(0, to)) === null) to -= 1
  const words = tokens.words.slice(0, to).filter((word) => !/^\d+$/.test(word))
  const targets = meaningOfWords(words)
  if (targets === null || (targets.length === 0 && colon === null && !isOtherNumber(words))) return null
  const opening = known.filter((entry) => entry.from < to)
  const count = words.length
  const isMain = (entry: Found): boolean => entry.from === 0 && entry.to - entry.from > count / 2
  const agrees = (target: PhraseTarget): boolean => targets.some((other) => other.target === target.target)
  if (opening.some((entry) => isMain(entry) && entry.targets.some(isKnown) && !entry.targets.some(agrees))) return null
  // A composed label without meaning adds nothing where a phrase is known.
  if (targets.length === 0 && opening.some((entry) => entry.targets.some(({ weight }) => weight >= knownWeight)))
    return null
  const whole = opening.find((entry) => entry.from === 0 && entry.to >= to)
  const others = (whole?.targets ?? []).filter(
    ({ target }) =>
      !targets.some((entry) => entry.target === target) && !(targets.length === 0 && target.startsWith('f:')),
  )
  const strong = opening.find((entry) => entry.from === 0)?.targets ?? []
  const agreed = targets.map(({ target, weight }) => ({
    target,
    weight: Math.max(weight, strong.find((entry) => entry.target === target)?.weight ?? 0),
  }))
  return { from: 0, to: Math.max(to, whole?.to ?? to), targets: [...agreed, ...others] }
}

/** True for a known label of single fields; the heading of a column may have another meaning. */
const isKnown = ({ target, weight }: PhraseTarget): boolean =>
  weight >= knownWeight && !(target.startsWith('c:') && findConcept(target.slice(2))?.column === true)

/** A phrase later in a cell is a label only when a colon follows it. */
const opensLabel = (cell: Cell, tokens: CellTokens, found: Found): boolean =>
  labelEnd(cell.text, tokens.ends[found.to - 1] ?? 0).hasColon

const netPattern =
  /(?<!\p{L})(?:excl\w*|exkl\w*|before (?:tax|vat|gst)|without|ohne|hors|sin iva|sem iva|senza|untaxed|zonder|\+ ?(?:vat|tax))(?!\p{L})/iu

const pages = 'page|seite|blatt|p[aá]gina|folha|hoja|foglio|blad'
const carriedOver =
  'carried|brought|[uü]bertrag|vortrag|reporter|report[eé]e?|riport(?:o|are|ato)|sigue|transport(?:e|ar|eren|ado)'
const pageBefore = new RegExp(`(?<!\\p{L})(?:${pages}|carried(?: over| forward)?|[uü]bertrag)[\\s:-]*$`, 'iu')
const pageBehind = new RegExp(`^[^:\\d]*?(?<!\\p{L})(?:${pages}|${carriedOver})(?!\\p{L})`, 'iu')

/** True for the label of a page sum that is carried to the next page: `Page total`, `Total carried forward`. */
const isOfPage = (label: { readonly before: string; readonly own: string; readonly behind: string }): boolean =>
  pageBefore.test(label.before) || pageBehind.test(label.behind) || /^seiten/iu.test(label.own)

const sumTargets = /^c:(?:total|amount_due|subtotal)$/

/** The meanings of a label, or none when one of them is a sum. */
const withoutSums = (targets: readonly PhraseTarget[]): readonly PhraseTarget[] =>
  targets.some(({ target }) => sumTargets.test(target)) ? [] : targets

/** A total whose label excludes tax is a subtotal. */
function qualify(targets: readonly PhraseTarget[], label: string): readonly PhraseTarget[] {
  if (
    !netPattern.test(label) ||
    !targets.some((entry) => entry.target === 'c:total' || entry.target === 'c:amount_due')
  )
    return targets
  const others = targets.filter(
    (entry) => entry.target !== 'c:total' && entry.target !== 'c:amount_due' && entry.target !== 'c:subtotal',
  )
  return [...others, { target: 'c:subtotal', weight: 1 }]
}

/** All labels of the given pages by cell. */
export function findLabels(pages: readonly PageLayout[], book: PhraseBook): LabelIndex {
  const index = new Map<Cell, LabelHit[]>()
  for (const page of pages) {
    const mend = page.page.source === 'ocr'
    for (const line of page.lines) {
      for (const cell of line.cells) {
        const hits = labelsOfCell(cell, book, mend)
        if (hits.length > 0) index.set(cell, hits)
      }
    }
  }
  return index
}

/** True when the cell is a label or starts with one, and so is not a value of another label. */
export function isLabelCell(index: LabelIndex, cell: Cell): boolean {
  return (index.get(cell) ?? []).some((hit) => hit.startsCell && hit.coverage >= 0.6 && (hit.isWhole || hit.hasColon))
}

/** True when every cell of the line is a label, with the values below. */
export const isLabelLine = (index: LabelIndex, line: Line): boolean =>
  line.cells.length >= 2 &&
  line.cells.every((cell) => (index.get(cell) ?? []).some((hit) => hit.startsCell && hit.isWhole))
