import type { Json } from '@skillrun/core/json.ts'
import type { EvidenceStatus } from '../evidence/evidence.ts'
import { phraseOf, squeeze } from '../layout/text.ts'
import type { InvoiceTerm } from '../media/invoice/terms.ts'
import type { LeafPlan } from '../schema/plan.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { valueFor } from '../values/values.ts'

/** A value of an invoice in the type of a place in the answer. */
export interface TermValue {
  readonly value: Json
  readonly status: EvidenceStatus
}

/** Names of codes in schemas: the common ones of UNTDID 1001, UNTDID 4461, UNCL5305 and UN/ECE Recommendation 20. */
const codeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'BT-3': {
    '380': 'invoice|commercial invoice|standard invoice|rechnung|facture|factura|fattura|factuur|fatura',
    '381': 'credit note|gutschrift|avoir|nota de credito|nota di credito|creditnota',
    '384': 'corrected invoice|correction|corrective invoice|korrekturrechnung|rechnungskorrektur',
    '386': 'prepayment invoice|prepayment|anzahlungsrechnung',
    '389': 'self billed invoice|self billing',
    '326': 'partial invoice|teilrechnung',
    '875': 'partial construction invoice',
    '876': 'partial final construction invoice',
    '877': 'final construction invoice',
  },
  'BT-81': {
    '10': 'cash|bar',
    '20': 'cheque|check',
    '30': 'credit transfer|bank transfer|transfer|uberweisung',
    '42': 'bank transfer|transfer|payment to bank account',
    '48': 'card|bank card',
    '49': 'direct debit|lastschrift',
    '54': 'credit card|card',
    '55': 'debit card|card',
    '57': 'standing agreement',
    '58': 'sepa credit transfer|credit transfer|bank transfer|transfer|uberweisung',
    '59': 'sepa direct debit|direct debit|lastschrift',
  },
  'BT-118': {
    S: 'standard|standard rate|standard rated',
    Z: 'zero|zero rated|zero rate',
    E: 'exempt|exempt from tax',
    AE: 'reverse charge',
    K: 'intra community|intra community supply',
    G: 'export|export outside the eu',
    O: 'out of scope|not subject to vat|outside scope of tax',
  },
  'BT-130': {
    C62: 'piece|pieces|unit|each|one|stuck',
    H87: 'piece|pieces|unit|each|stuck',
    EA: 'each|piece|unit',
    XPP: 'piece|unit',
    HUR: 'hour|hours|stunde|stunden',
    DAY: 'day|days|tag|tage',
    WEE: 'week|weeks',
    MON: 'month|months|monat',
    ANN: 'year|years',
    KGM: 'kg|kilogram|kilograms',
    GRM: 'g|gram',
    TNE: 't|tonne|ton',
    MTR: 'm|metre|meter',
    KMT: 'km|kilometre|kilometer',
    MTK: 'm2|square metre|square meter',
    MTQ: 'm3|cubic metre|cubic meter',
    LTR: 'l|litre|liter',
    KWH: 'kwh|kilowatt hour',
    LS: 'lump sum|pauschale',
    SET: 'set',
    MIN: 'minute|minutes',
  },
}
const sameCodes: Readonly<Record<string, string>> = {
  'BT-95': 'BT-118',
  'BT-102': 'BT-118',
  'BT-151': 'BT-118',
  'BT-150': 'BT-130',
}

/** A date of CII (`20260314`) or UBL (`2026-03-14`, optionally with a time zone) in ISO form. */
function dayOf(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}

function readingOf(term: InvoiceTerm, text: string): ParsedValue {
  const isNumber = term.kind === 'amount' || term.kind === 'number' || term.kind === 'percent'
  const number = isNumber && /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined
  const day = term.kind === 'date' ? dayOf(text) : undefined
  return { start: 0, end: text.length, value: number ?? day ?? text, printed: day ?? text, fit: 1 }
}

/** Converts the text of a term to the type of its place; undefined if impossible. */
export function termValue(plan: LeafPlan, term: InvoiceTerm, text: string): TermValue | undefined {
  const clean = term.kind === 'text' ? text.split('\n').map(squeeze).filter(Boolean).join('\n') : squeeze(text)
  if (plan.choices.length > 0) return chosen(plan, term, clean)
  const reading = readingOf(term, clean)
  if (plan.schema['format'] === 'date-time' && term.kind === 'date')
    return { value: `${reading.value}T00:00:00Z`, status: 'normalised' }
  const isText = plan.types.length > 0 && plan.types.every((type) => type === 'string' || type === 'null')
  const value = valueFor(plan, isText ? { ...reading, value: String(reading.printed) } : reading)
  return value === undefined ? undefined : { value, status: String(value) === text ? 'verified' : 'normalised' }
}

function chosen({ choices }: LeafPlan, term: InvoiceTerm, text: string): TermValue | undefined {
  const number = readingOf(term, text).value
  const same = choices.find((choice) => choice === number || phraseOf(String(choice)) === phraseOf(text))
  if (same !== undefined) return { value: same, status: same === text ? 'verified' : 'normalised' }
  const names = codeNames[sameCodes[term.id] ?? term.id]?.[text]?.split('|') ?? []
  const named = choices.find((choice) => names.includes(phraseOf(String(choice).replaceAll('_', ' '))))
  return named === undefined ? undefined : { value: named, status: 'derived' }
}
