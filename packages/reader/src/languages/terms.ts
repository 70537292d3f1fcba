import type { PageLayout } from '../layout/layout.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { spanOfCell } from '../layout/spans.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { fits } from '../values/values.ts'

/** Standard terms of payment, as a whole text. */
const paymentPattern =
  /^(?:net \d{1,3}(?: days)?|\d{1,3} days(?: net| from .{4,24})?|(?:payment )?due (?:up)?on receipt|due in \d+ days|\d+ ?% ?\d+,? net \d+|payment within \d+ days|\d{1,3} tage(?: netto| nach .{4,20})?|\d+ tage \d+ ?% skonto, \d+ tage netto|zahlbar .{0,40}(?:\d|sofort|erhalt|rechnung).{0,40}|sofort (?:fällig|zahlbar|netto).{0,24}|\d{1,3} jours (?:net|nets|date de facture|fin de mois).{0,20}|(?:paiement )?à réception(?: de (?:la )?facture)?|paiement à \d+ jours.{0,20}|\d{1,3} días(?: .{2,20})?|pago (?:a|al|en) .{4,30}|al contado|\d{1,3} (?:giorni|gg)(?: .{2,20})?|(?:bonifico|rimessa) .{4,30}|\d{1,3} dagen(?: .{4,24})?|betaling binnen \d+ dagen|direct te voldoen|\d{1,3} dias(?: .{4,24})?|pagamento a \d+ dias.{0,12}|a pronto)$/iu

/** Standard terms of delivery, as a whole text: Incoterms 2020 of the ICC and common phrases. */
const deliveryPattern =
  /^(?:(?:EXW|FCA|FAS|FOB|CFR|CPT|CIP|DAP|DPU|DDP|CIF)(?: \p{L}[\p{L} .-]{1,24})?|ex works|carriage paid|free delivery|delivered free|prepaid (?:&|and) add|ab werk|ab lager|frei haus|frachtfrei|unfrei|franco(?: \p{L}{3,14})?|départ usine|port (?:dû|payé)|porto (?:franco|assegnato)|portes (?:pagados|debidos|pagos)|af fabriek|franco huis|livraison par transporteur)$/iu

/** The score of terms without a known label. */
const termsScore = 0.6

function termsIn(sheet: Sheet, field: Field, pattern: RegExp): Candidate[] {
  const found: Candidate[] = []
  const see = (page: PageLayout): void => {
    for (const cell of page.lines.flatMap((line) => line.cells)) {
      const span = spanOfCell(cell)
      const text = squeeze(trimMarks(span.text.replace(/^[^:]{2,28}:\s/u, '')))
      if (inTable(sheet, cell) || !pattern.test(text)) continue
      const start = span.text.indexOf(text)
      if (start < 0) continue
      const reading = { start, end: start + text.length, value: text, printed: text, fit: 0.9 }
      if (!fits(field.plan, reading)) continue
      const words = span.words.filter((_, index) => (span.starts[index] ?? 0) >= start)
      const score = termsScore * (0.6 + 0.4 * wordConfidence(words))
      found.push({ field, reading, words, page, label: [], relation: 'unlabelled', score })
    }
  }
  for (const page of sheet.pages) see(page)
  // Different terms belong to different things.
  return new Set(found.map(({ reading }) => reading.value)).size === 1 ? found.slice(0, 1) : []
}

/** Terms of payment and delivery recognised by their wording, whatever their label says. */
export function termsCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  return fields.flatMap((field) => {
    const id = field.plan.meaning.concept?.id
    if (id === 'payment_terms') return termsIn(sheet, field, paymentPattern)
    return id === 'incoterm' ? termsIn(sheet, field, deliveryPattern) : []
  })
}
