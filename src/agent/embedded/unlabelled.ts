import { findCurrencies } from './currencies.ts'
import { findEmails, findIbans, findUrls, findVatNumbers, type TextMatch } from './identifiers.ts'
import type { PageLayout, PlacedWord } from './layout.ts'
import { readChoices } from './readings.ts'
import { type Candidate, type Field, type Sheet, wordConfidence } from './sheet.ts'
import { type Span, spanOfCell, wordsWithin } from './spans.ts'
import { fold, phraseOf } from './text.ts'
import { fits } from './values.ts'

interface Sighting {
  readonly value: string
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  readonly isCode?: boolean
}

function* spans(sheet: Sheet): Generator<{ span: Span; page: PageLayout }> {
  for (const page of sheet.pages) {
    for (const line of page.lines) for (const cell of line.cells) yield { span: spanOfCell(cell), page }
  }
}

function sight(sheet: Sheet, find: (text: string) => readonly TextMatch[]): Sighting[] {
  const found: Sighting[] = []
  for (const { span, page } of spans(sheet)) {
    for (const match of find(span.text))
      found.push({ value: match.value, words: wordsWithin(span, match.start, match.end), page })
  }
  return found
}

/** The value that all sightings agree on. */
function onlyOne(sightings: readonly Sighting[]): Sighting | null {
  const first = sightings[0]
  if (first === undefined) return null
  return sightings.every((sighting) => sighting.value === first.value) ? first : null
}

function asCandidate(field: Field, sighting: Sighting, score: number, note?: string): Candidate[] {
  const printed = sighting.words.map((word) => word.word.text).join(' ')
  const reading = {
    start: 0,
    end: printed.length,
    value: sighting.value,
    printed,
    fit: 1,
    derived: sighting.isCode === false,
  }
  if (!fits(field.plan, reading)) return []
  const confidence = score * (0.6 + 0.4 * wordConfidence(sighting.words))
  return [
    {
      field,
      reading,
      words: sighting.words,
      page: sighting.page,
      label: [],
      relation: 'unlabelled',
      score: confidence,
      ...(note !== undefined && { note }),
    },
  ]
}

/** The currency that most amounts of the documents stand with; codes count more than symbols. */
function currencyOf(sheet: Sheet): { sighting: Sighting; share: number } | null {
  const votes = new Map<string, { weight: number; first: Sighting }>()
  let sum = 0
  for (const { span, page } of spans(sheet)) {
    for (const match of findCurrencies(span.text)) {
      const around = span.text.slice(Math.max(0, match.start - 14), match.end + 14)
      const weight = (match.isCode ? 1.5 : 1) * (/\d/.test(around) ? 2 : 0.5)
      const vote = votes.get(match.code) ?? {
        weight: 0,
        first: { value: match.code, words: wordsWithin(span, match.start, match.end), page, isCode: match.isCode },
      }
      vote.weight += weight
      if (match.isCode && vote.first.isCode === false) {
        vote.first = { value: match.code, words: wordsWithin(span, match.start, match.end), page, isCode: true }
      }
      votes.set(match.code, vote)
      sum += weight
    }
  }
  const best = [...votes.values()].toSorted((a, b) => b.weight - a.weight)[0]
  return best === undefined ? null : { sighting: best.first, share: best.weight / sum }
}

/** Words that name kinds of documents, by the English word that schemas use. */
const documentWords: Readonly<Record<string, string>> = {
  invoice: 'invoice|rechnung|facture|factura|fattura|factuur|fatura',
  receipt:
    'receipt|quittung|kassenbon|kassenbeleg|ticket de caisse|reçu|recibo|ticket|ricevuta|scontrino|kassabon|cash bill|cash sale|factura simplificada|documento commerciale',
  'purchase order':
    'purchase order|bestellung|bon de commande|orden de compra|ordine di acquisto|inkooporder|nota de encomenda|ordem de compra',
  order: 'order|bestellung|commande|pedido|ordine|bestelling|encomenda',
  'credit note': 'credit note|credit memo|gutschrift|avoir|nota de crédito|abono|nota di credito|creditnota',
  statement:
    'statement|bank statement|account statement|kontoauszug|relevé de compte|extracto|estratto conto|rekeningafschrift|extrato',
  'bank statement':
    'bank statement|statement|kontoauszug|relevé de compte|extracto|estratto conto|rekeningafschrift|extrato',
  quote: 'quote|quotation|angebot|devis|presupuesto|preventivo|offerte|orçamento|estimate',
  'delivery note': 'delivery note|lieferschein|bon de livraison|albarán|documento di trasporto|pakbon|guia de remessa',
  contract: 'contract|agreement|vertrag|contrat|contrato|contratto|contract',
}

/** Lines from the top that may be the title of a document. */
const titleLinesMax = 25

/** A choice that names the document in its title, larger and higher text first. */
function classify(field: Field, sheet: Sheet): Candidate[] {
  const { choices } = field.plan
  let best: { value: string | number; words: readonly PlacedWord[]; page: PageLayout; score: number } | null = null
  const first = sheet.pages[0]
  for (const [rank, line] of (first?.lines ?? []).slice(0, titleLinesMax).entries()) {
    for (const cell of line.cells) {
      const text = ` ${phraseOf(cell.text)} `
      for (const choice of choices) {
        if (typeof choice !== 'string') continue
        const phrase = phraseOf(choice.replaceAll('_', ' '))
        const word = (documentWords[phrase] ?? phrase).split('|').find((entry) => text.includes(` ${phraseOf(entry)} `))
        if (word === undefined || phrase === '') continue
        const share = phraseOf(word).length / text.trim().length
        const size = line.height / Math.max(line.page.wordHeight, 1e-9)
        const score = 0.3 + share * 0.35 + Math.min(0.2, Math.max(0, size - 1) * 0.3) + Math.max(0, 0.1 - rank * 0.01)
        if (best === null || score > best.score) best = { value: choice, words: cell.words, page: line.page, score }
      }
    }
  }
  if (best === null || best.score < 0.5) return []
  const printed = best.words.map((word) => word.word.text).join(' ')
  const reading = { start: 0, end: printed.length, value: best.value, printed, fit: 1, derived: true }
  return fits(field.plan, reading)
    ? [
        {
          field,
          reading,
          words: best.words,
          page: best.page,
          label: [],
          relation: 'unlabelled',
          score: Math.min(0.9, best.score),
        },
      ]
    : []
}

/** A choice that stands in the documents as the only one of its list. */
function onlyChoice(field: Field, sheet: Sheet): Candidate[] {
  const seen = new Map<string | number | boolean, Sighting>()
  for (const { span, page } of spans(sheet)) {
    for (const reading of readChoices(span.text, field.plan.choices)) {
      if (!seen.has(reading.value) && String(reading.value).length > 2) {
        seen.set(reading.value, {
          value: String(reading.value),
          words: wordsWithin(span, reading.start, reading.end),
          page,
        })
      }
    }
    if (seen.size > 1) return []
  }
  const [only] = seen.values()
  return only === undefined ? [] : asCandidate(field, only, 0.55)
}

const isDocumentType = (field: Field): boolean =>
  field.plan.meaning.concept?.id === 'document_type' ||
  field.plan.choices.some((choice) => typeof choice === 'string' && fold(choice).replaceAll('_', ' ') in documentWords)

/** What kinds of values show by themselves, without a label: the only e-mail address, the currency of the amounts … */
export function unlabelledCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  return fields.flatMap((field) => {
    const { kind, concept } = field.plan.meaning
    const isOthers = concept?.party === 'customer' || concept?.party === 'recipient'
    if (kind === 'currency') {
      const found = currencyOf(sheet)
      if (found === null || found.share < 0.6) return []
      const note = found.sighting.isCode === false ? `Follows from the symbol beside the amounts.` : undefined
      return asCandidate(field, found.sighting, 0.6 + 0.3 * found.share, note)
    }
    if (kind === 'enum') return isDocumentType(field) ? classify(field, sheet) : onlyChoice(field, sheet)
    if (isOthers) return []
    const find =
      kind === 'email'
        ? findEmails
        : kind === 'iban'
          ? findIbans
          : kind === 'url'
            ? findUrls
            : concept?.id === 'vendor_vat'
              ? findVatNumbers
              : null
    if (find === null) return []
    const only = onlyOne(sight(sheet, find))
    return only === null ? [] : asCandidate(field, only, 0.7)
  })
}
