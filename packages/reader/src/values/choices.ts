import { findConcept } from '../languages/concepts.ts'
import { findCurrencies } from '../languages/currencies.ts'
import { documentWords } from '../languages/document-names.ts'
import { isJoining, meantWords } from '../languages/form-words.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, inTable, type Sheet } from '../layout/sheet.ts'
import { spanOfCell, wordsWithin } from '../layout/spans.ts'
import { phraseOf, tokensOf } from '../layout/text.ts'
import { readReceipt } from '../receipts/receipt-items.ts'
import { findDates } from './dates.ts'
import { type ParsedValue, readChoices } from './parsed-values.ts'
import { optionsIn } from './ticks.ts'
import { fits } from './values.ts'

/** Words for payment methods, by the English word that schemas use. */
const cardWords =
  'card|credit card|debit card|bank card|visa|mastercard|maestro|amex|american express|ec karte|girocard|kartenzahlung|karte|kreditkarte|carte|carte bancaire|cb|tarjeta|carta|carta di credito|bancomat|pin|pinnen|bancontact|cartão|multibanco|contactless|paywave|debit|ec cash|electronic cash|bankkarte|debitkarte|debit mastercard|v pay|kaart|bankkaart|betaalkaart|pinpas|betaalpas|creditcard|carta di debito|carta di pagamento|postepay|satispay|cartao de credito|cartao de debito|cartao debito|cartao credito|mb way|sans contact|apple pay|google pay|twint|eftpos|interac|discover|diners'
const paymentWords: Readonly<Record<string, string>> = {
  cash: 'cash|bar|bargeld|barzahlung|espèces|especes|en efectivo|efectivo|contanti|contante|contant|dinheiro|numerário|tunai',
  card: cardWords,
  'credit card': cardWords,
  'debit card': cardWords,
  transfer:
    'bank transfer|wire transfer|transfer|überweisung|virement|transferencia|bonifico|overschrijving|overboeking|transferência',
  'bank transfer':
    'bank transfer|wire transfer|transfer|überweisung|virement|transferencia|bonifico|overschrijving|overboeking|transferência',
  cheque: 'cheque|check|scheck|chèque|assegno',
  paypal: 'paypal',
}

interface Sighting {
  readonly choice: string
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  readonly score: number
}

function toCandidate(field: Field, sighting: Sighting): Candidate[] {
  const { choice, words, page, score } = sighting
  const printed = words.map((word) => word.word.text).join(' ')
  const reading = { start: 0, end: printed.length, value: choice, printed, fit: 1, derived: true }
  return fits(field.plan, reading) ? [{ field, reading, words, page, label: [], relation: 'unlabelled', score }] : []
}

/** The number of lines from the top that may be the title of a document. */
const titleLinesMax = 25

/** The choice that names the document type in its title, preferring larger and higher text. */
function documentType(field: Field, sheet: Sheet): Candidate[] {
  let best: Sighting | null = null
  for (const [rank, line] of (sheet.pages[0]?.lines ?? []).slice(0, titleLinesMax).entries()) {
    for (const cell of line.cells) {
      if (isRunning(cell) || optionsIn(cell.text).boxes > 0) continue
      const text = ` ${phraseOf(cell.text)} `
      for (const choice of field.plan.choices) {
        if (typeof choice !== 'string') continue
        const phrase = phraseOf(choice.replaceAll('_', ' '))
        const known = (documentWords[phrase] ?? phrase).split('|')
        const word = known.map(phraseOf).find((entry) => entry !== '' && text.includes(` ${entry} `))
        if (word === undefined) continue
        const size = line.height / Math.max(line.page.wordHeight, 1e-9)
        const share = word.length / text.trim().length
        const score = 0.3 + share * 0.35 + Math.min(0.2, Math.max(0, size - 1) * 0.3) + Math.max(0, 0.1 - rank * 0.01)
        if (best === null || score > best.score) best = { choice, words: cell.words, page: line.page, score }
      }
    }
  }
  return best === null || best.score < 0.5 ? [] : toCandidate(field, { ...best, score: Math.min(0.9, best.score) })
}

const wordsOfPayments = new Set(
  [
    ...Object.values(paymentWords),
    findConcept('payment_method')?.labels ?? '',
    findConcept('payment_method')?.weak ?? '',
  ]
    .flatMap((list) => list.split(/[| ]/u))
    .map(phraseOf),
)

/** What words in front of a way to pay may mean: `Amount paid by card`. */
const plainMeanings = new Set(
  'payment paid payable payer amount total balance due by method kind no date tendered change cash card transfer directdebit bank paymentmethod'.split(
    ' ',
  ),
)

/** True when a folded text names a way to pay, with no words in front that make it another thing: `data transfer`, `gift card`. */
function isPayment(text: string, name: string): boolean {
  const at = text.indexOf(` ${name} `)
  if (at < 0) return false
  const before = tokensOf(text.slice(0, at)).map((token) => token.text)
  const isPlain = (word: string): boolean =>
    /\d|^..?$/u.test(word) ||
    wordsOfPayments.has(word) ||
    isJoining(word) ||
    meantWords(word).some(({ meanings }) => [...meanings].some((meaning) => plainMeanings.has(meaning)))
  return before.every(isPlain)
}

/** The payment method printed among the sums; cash also follows from cash and change amounts. */
function paymentMethod(field: Field, sheet: Sheet): Candidate[] {
  const seen = new Map<string, Sighting>()
  const see = (choice: string, words: readonly PlacedWord[], page: PageLayout, score: number): void => {
    if ((seen.get(choice)?.score ?? 0) < score) seen.set(choice, { choice, words, page, score })
  }
  for (const page of sheet.pages) {
    const items = page === sheet.pages[0] ? readReceipt(sheet).items.flatMap(({ lines }) => lines) : []
    const below = items.length === 0 ? -1 : Math.max(...items.map((line) => line.index)) + 1
    const from = [page.lines.findIndex((line) => sheet.sumLines.has(line)), below].filter((at) => at > 0).at(-1) ?? -1
    if (from < 0) continue
    for (const line of page.lines.slice(from)) {
      for (const cell of line.cells) {
        if (inTable(sheet, cell)) continue
        const text = ` ${phraseOf(cell.text)} `
        const hits = (sheet.labels.get(cell) ?? []).filter((hit) => hit.startsCell && hit.coverage >= 0.75)
        for (const choice of field.plan.choices) {
          if (typeof choice !== 'string') continue
          const phrase = phraseOf(choice.replaceAll('_', ' '))
          const known = (paymentWords[phrase] ?? phrase).split('|').map(phraseOf)
          const isCard = phrase === 'cash' && / (?:ec|electronic) cash /.test(text)
          const isNamed = !isCard && known.some((entry) => entry !== '' && isPayment(text, entry))
          const next = line.cells[cell.index + 1]?.text ?? ''
          const isCash =
            phrase === 'cash' &&
            /\d/.test(cell.text + next) &&
            hits.some((hit) =>
              hit.targets.some(({ target, weight }) => /^c:(?:change|cash)$/.test(target) && weight >= 0.9),
            )
          if (isNamed && cell.words.length <= 6) see(choice, cell.words, page, 0.85)
          else if (isCash) see(choice, cell.words, page, 0.6)
        }
      }
    }
  }
  const best = [...seen.values()].sort((a, b) => b.score - a.score)
  const [first, second] = best
  if (first === undefined || (second !== undefined && second.score > first.score - 0.1)) return []
  return toCandidate(field, first)
}

/** The maximum number of words of a cell that is no running text; in running text, a choice may be mentioned by chance. */
const namingWordsMax = 6
/** A line nearer than this many text heights below another one may go on with its sentence. */
const nextLineHeights = 1.2

/** True for a part of a sentence: a long cell mostly in lower case, or one that goes on with a long cell above it. */
function isRunning({ words, text, line, x0, x1 }: Cell): boolean {
  const small = words.filter(({ word }) => /^\P{L}*\p{Ll}/u.test(word.text)).length
  if (words.length > namingWordsMax && small * 2 > words.length) return true
  const before = line.page.lines[line.index - 1]
  if (before === undefined || line.y0 - before.y1 > line.height * nextLineHeights) return false
  const above = before.cells.find((cell) => cell.x0 < x1 && x0 < cell.x1)
  if (above === undefined || above.words.length <= namingWordsMax || /[.:;!?]["”’)]*$/u.test(above.text)) return false
  // Capitals continue with capitals only: a title does not continue the line above it.
  return /\p{Ll}/u.test(text) || !/\p{Ll}/u.test(above.text)
}

/** The end of a label after its words: `Amount paid: 0.00`. */
const labelEnd = /^\s*[:=]/u
const amountPattern = /^\s*(?:\p{Sc}|[A-Z]{3}\s)?\s*[-–−(]?\d[\d.,' ]*\D{0,4}$/u
const isAmount = (text: string): boolean => amountPattern.test(text) && findDates(text).length === 0

/** True when a choice is only a part of an amount's label or of another field's label. */
function isOfOther(cell: Cell, text: string, { end }: ParsedValue): boolean {
  const behind = text.slice(end)
  if (labelEnd.test(behind) || isAmount(behind)) return true
  const next = cell.line.cells[cell.line.cells.indexOf(cell) + 1]
  return behind.trim() === '' && next !== undefined && isAmount(next.text)
}

/** True when a text says a choice and nothing else, but for figures, dates and words that join: `PAID`, `Paid on 5 May 2026`. */
function saysOnly(text: string, { start, end }: ParsedValue): boolean {
  const around = `${text.slice(0, start)} ${text.slice(end)}`
  const rest = findDates(around).reduceRight((left, date) => left.slice(0, date.start) + left.slice(date.end), around)
  return tokensOf(rest).every(({ text: word }) => /\d|^..?$/u.test(word) || isJoining(word))
}

/** True when a text has a word of a field's own name: `MUTUAL AGREEMENT` for `agreement_type`. */
function namesField({ plan }: Field, text: string): boolean {
  const words = new Set(tokensOf(text).map((token) => token.text))
  const own = plan.meaning.path.split(' ')
  return own.some(
    (word) => word.length > 3 && words.has(word) && !plan.choices.some((choice) => phraseOf(String(choice)) === word),
  )
}

/** True when a choice in a text may be the answer although no label says so. */
function isAnswer(field: Field, cell: Cell, text: string, reading: ParsedValue): boolean {
  const value = String(reading.value)
  if (findCurrencies(text).some(({ code, isCode }) => isCode && code === value)) return true
  if (value.length <= 2 || cell.words.length > namingWordsMax || isOfOther(cell, text, reading)) return false
  return !isRunning(cell) && (optionsIn(text).boxes > 0 || saysOnly(text, reading) || namesField(field, text))
}

/** The choice that the documents contain, when it is the only one; with `isBoxed`, the only one whose box is ticked. */
function onlyChoice(field: Field, sheet: Sheet, isBoxed = false): Candidate[] {
  const seen = new Map<string, Sighting>()
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      for (const cell of line.cells) {
        const span = spanOfCell(cell)
        if (isBoxed && optionsIn(span.text).boxes === 0) continue
        for (const reading of readChoices(span.text, field.plan.choices)) {
          const choice = String(reading.value)
          if (seen.has(choice) || !isAnswer(field, cell, span.text, reading)) continue
          seen.set(choice, { choice, words: wordsWithin(span, reading.start, reading.end), page, score: 0.55 })
        }
      }
    }
    if (seen.size > 1) return []
  }
  return [...seen.values()].flatMap((sighting) => toCandidate(field, sighting))
}

/** Enum values that need no label: the only one ticked, the document type, the payment method, the only one mentioned. */
export function choiceCandidates(field: Field, sheet: Sheet): Candidate[] {
  const ticked = onlyChoice(field, sheet, true)
  if (ticked.length > 0) return ticked
  const { concept } = field.plan.meaning
  const phrases = field.plan.choices.map((choice) => phraseOf(String(choice).replaceAll('_', ' ')))
  if (concept?.id === findConcept('payment_method')?.id) return paymentMethod(field, sheet)
  if (concept?.id === 'document_type' || phrases.some((phrase) => phrase in documentWords))
    return documentType(field, sheet)
  return onlyChoice(field, sheet)
}
