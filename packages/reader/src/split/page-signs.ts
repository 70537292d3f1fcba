import type { LabelIndex } from '../labels/labels.ts'
import { documentNamePattern } from '../languages/document-names.ts'
import { type Line, lineText, type PageLayout } from '../layout/layout.ts'
import { median } from '../layout/placed-words.ts'
import { fold, phraseOf, squeeze } from '../layout/text.ts'
import { findDates } from '../values/dates.ts'
import { type PageNumber, pageNumberOf } from './page-number.ts'

/** What a page shows of its place in a document. Heights and positions are shares of the page. */
export interface PageSigns {
  /** Hardly a word stands on it. */
  readonly isBlank: boolean
  readonly number: PageNumber | null
  /** Lines without their figures: those at the top and at the foot, and those with several cells. */
  readonly head: readonly string[]
  readonly foot: readonly string[]
  readonly rows: ReadonlySet<string>
  /** Numbers of at least four digits that are neither amounts nor dates. */
  readonly numbers: ReadonlySet<string>
  /** Values with figures by the words in front of them. */
  readonly keyed: ReadonlyMap<string, string>
  readonly words: ReadonlySet<string>
  readonly ratio: number
  readonly type: number
  readonly left: number
  /** Where the content ends, without the footer. */
  readonly end: number
  /** The largest type in the upper part, in heights of usual type. */
  readonly largest: number
  readonly namesKind: boolean
  readonly greets: boolean
  readonly closes: boolean
  readonly isDated: boolean
  /** Labels of single values in the upper part. */
  readonly labels: number
  readonly hasTotal: boolean
  readonly carriesOn: boolean
  readonly isContinued: boolean
  readonly startsWithin: boolean
  readonly endsSentence: boolean
}

const headLines = 3
const footShare = 0.92
const upperShare = 0.45
const carriedLines = 4
const wordsMin = 3

const greeting =
  /^(?:dear|sehr geehrte|guten tag|lieber?|madame|monsieur|cher|chere|estimad|muy senor|distinguid|gentil|egregi|spett|geachte|beste|exm|prezad|caro|cara|to whom)(?!\d)/
const closing =
  /^(?:yours|kind regards|best regards|sincerely|regards|mit freundlichen|freundliche gru|hochachtungsvoll|veuillez agreer|cordialement|salutations|atentamente|un saludo|saludos|cordialmente|distinti saluti|cordiali saluti|met vriendelijke|hoogachtend|atenciosamente|com os melhores)/
const carried =
  /(?<!\p{L})(?:carried (?:over|forward)|brought forward|continued|cont['’]?d|ubertrag|vortrag|fortsetzung|zwischenstand|a reporter|report|suite|sigue|continua(?:cion)?|suma y sigue|riporto|da riportare|segue|transport(?:eren|e)?|vervolg|a transportar|continuacao)(?!\p{L})/u

const sumTargets = /^c:(?:total|amount_due|closing_balance|total_debits|total_credits|change|cash)$/
const amount = /^[-+(]?\p{Sc}?\s?\d{1,3}(?:[ .,'’]\d{3})*[.,]\d{2}\)?\s?(?:\p{Sc}|[A-Z]{3})?$/u

const withoutFigures = (text: string): string => squeeze(fold(text).replace(/[\d.,:/#-]+/g, ' '))

/** The signs of a page. `labels` are those of its cells. */
export function pageSigns(layout: PageLayout, labels: LabelIndex): PageSigns {
  const { lines, page, height, width, wordHeight } = layout
  const upper = lines.filter((line) => line.y0 < height * upperShare)
  const foot = lines.filter((line) => line.y0 >= height * footShare)
  const content = lines.filter((line) => line.y0 < height * footShare)
  const texts = lines.map((line) => lineText(line))
  const named = texts.map((text) => fold(text))
  const labelsOf = (line: Line) => line.cells.flatMap((cell) => labels.get(cell) ?? [])
  const starts = content.map((line) => line.cells[0]?.x0 ?? 0)
  const firstText = content[0] ? lineText(content[0]) : ''
  const lastText = content.at(-1) ? lineText(content.at(-1) as Line) : ''
  return {
    isBlank: page.words.length < wordsMin,
    number: pageNumberOf(layout),
    head: textsOf(lines.slice(0, headLines)),
    foot: textsOf(foot),
    rows: new Set(textsOf(lines.filter((line) => line.cells.length >= 3))),
    numbers: numbersIn(lines),
    keyed: keyedIn(lines),
    words: new Set(lines.flatMap((line) => line.cells.flatMap((cell) => wordsIn(cell.text)))),
    ratio: width / Math.max(1e-9, height),
    type: wordHeight / Math.max(1e-9, height),
    left: starts.length === 0 ? 0 : median(starts) / Math.max(1e-9, width),
    end: (content.at(-1)?.y1 ?? 0) / Math.max(1e-9, height),
    largest: Math.max(0, ...upper.map((line) => line.height / Math.max(1e-9, wordHeight))),
    namesKind: upper.some((line) =>
      line.cells.some((cell) => cell.words.length <= 6 && documentNamePattern.test(` ${phraseOf(cell.text)} `)),
    ),
    greets: named.some((text) => greeting.test(text)),
    closes: named.some((text) => closing.test(text)),
    isDated: upper.some((line) => line.cells.length <= 3 && line.cells.some((cell) => findDates(cell.text).length > 0)),
    labels: upper.flatMap(labelsOf).filter((hit) => hit.startsCell && hit.coverage >= 0.6).length,
    hasTotal: content.some((line) =>
      labelsOf(line).some(
        (hit) => hit.startsCell && hit.targets.some(({ target, weight }) => weight >= 0.9 && sumTargets.test(target)),
      ),
    ),
    carriesOn: named.slice(-carriedLines - foot.length).some((text) => carried.test(text)),
    isContinued: named.slice(0, carriedLines + headLines).some((text) => carried.test(text)),
    startsWithin: /^\p{Ll}/u.test(firstText),
    endsSentence: lastText === '' || !/[\p{L},;-]$/u.test(lastText),
  }
}

const textsOf = (lines: readonly Line[]): string[] =>
  lines.map((line) => withoutFigures(lineText(line))).filter((text) => /\p{L}{3}/u.test(text))

const wordsIn = (text: string): string[] =>
  phraseOf(text)
    .split(' ')
    .filter((word) => /^\p{L}{4,}$/u.test(word))

function numbersIn(lines: readonly Line[]): Set<string> {
  const found = new Set<string>()
  for (const line of lines)
    for (const { text } of line.cells)
      for (const token of text.split(/\s+/)) {
        const plain = token.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
        if (plain.replace(/\D/g, '').length < 4 || amount.test(plain) || findDates(plain).length > 0) continue
        found.add(plain)
      }
  return found
}

/** `Invoice no. 4711`, in one cell or two. Amounts say nothing: they differ from page to page. */
function keyedIn(lines: readonly Line[]): Map<string, string> {
  const found = new Map<string, string>()
  const add = (key: string, value: string): void => {
    const name = withoutFigures(key)
    const plain = squeeze(value)
    if (name.length < 3 || name.length > 40 || !/\d{2}/.test(plain) || plain.length > 30 || amount.test(plain)) return
    if (!found.has(name)) found.set(name, plain)
  }
  for (const { cells } of lines)
    for (const [at, { text }] of cells.entries()) {
      const within = /^(\p{L}[^\d]{2,38}?)\s*[:#.º°]*\s+([\p{L}\d][^\s]*\d[^\s]*)$/u.exec(text)
      if (within) add(within[1] ?? '', within[2] ?? '')
      const next = cells[at + 1]
      if (next && !/\d/.test(text)) add(text, next.text)
    }
  return found
}
