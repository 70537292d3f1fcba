import type { Kind, Party } from '../languages/concept.ts'
import { isDocumentWord } from '../languages/document-words.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Candidate, type Field, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { phraseOf } from '../layout/text.ts'
import { findField } from '../schema/fields.ts'
import { looksLikeCompany } from '../values/addresses.ts'
import { fits } from '../values/values.ts'
import type { PartyValue } from './blocks.ts'
import { addressees, bankLetterhead, letterhead } from './letterhead.ts'
import { labelledParties, wordsOf } from './parties.ts'

const kindsOfParty = new Set(['name', 'address', 'email', 'phone', 'vat'])

function candidatesOf(field: Field, values: readonly PartyValue[], bankIsIssuer: boolean): Candidate[] {
  const { meaning } = field.plan
  const isBank = bankIsIssuer && meaning.concept?.id === 'bank_name'
  const party = isBank ? 'vendor' : meaning.concept?.party
  if (party === undefined) return []
  return values.flatMap((value) => {
    if (value.party !== party || value.kind !== meaning.kind) return []
    const reading = { start: 0, end: value.value.length, value: value.value, printed: value.value, fit: 0.9 }
    if (!fits(field.plan, reading) || (value.kind === 'name' && isDocumentWord(value.value))) return []
    const score = value.score * (0.6 + 0.4 * wordConfidence(value.words))
    const relation = value.label.length > 0 ? 'block' : 'unlabelled'
    return [{ field, reading, words: value.words, page: value.page, label: value.label, relation, score }]
  })
}

/** Candidates for the names, addresses and contacts of requested parties. */
export function partyCandidates(fields: readonly Field[], values: readonly PartyValue[]): Candidate[] {
  const isBank = (field: Field): boolean => field.plan.meaning.concept?.id === 'bank_name'
  const isPartys = ({ plan: { meaning } }: Field): boolean =>
    meaning.concept?.party !== undefined && kindsOfParty.has(meaning.kind)
  // Unless the issuer is requested under another name, the bank is the issuer of its statement.
  const bankIsIssuer = findField(fields, 'vendor_name') === undefined
  const wanted = fields.filter((field) => isPartys(field) || (bankIsIssuer && isBank(field)))
  if (wanted.length === 0) return []
  return wanted.flatMap((field) => candidatesOf(field, values, bankIsIssuer))
}

/** True when a value is in the block of another party than the requested one. */
export function isElsewhere(
  field: Field,
  words: readonly PlacedWord[],
  { owners, isOrder }: { owners: ReadonlyMap<PlacedWord, Party>; isOrder: boolean },
): boolean {
  const { concept, kind } = field.plan.meaning
  // The contact on an order is the buyer's, who issues it.
  if (concept?.id === 'contact_name') return isOrder && words.some((word) => owners.get(word) === 'vendor')
  if (kind !== 'email' && kind !== 'phone' && kind !== 'vat' && kind !== 'url') return false
  const wanted = concept?.party ?? 'vendor'
  return words.some((word) => (owners.get(word) ?? wanted) !== wanted)
}

/** The party of the block that each word is in. */
export const ownersOf = (values: readonly PartyValue[]): Map<PlacedWord, Party> =>
  new Map(values.flatMap((value) => value.words.map((word) => [word, value.party] as const)))

const has = (values: readonly PartyValue[], party: Party, kind: Kind): boolean =>
  values.some((value) => value.party === party && value.kind === kind)

/** All data of the parties: labelled blocks, then the letterhead for the party without a block, then an addressee. */
export function partyValues(
  sheet: Sheet,
  { isOrder, isStatement }: { isOrder: boolean; isStatement: boolean },
): PartyValue[] {
  const values = labelledParties(sheet, isOrder ? 'customer' : 'vendor').filter(
    (value) => !(isOrder && value.party === 'customer' && isPerson(value)),
  )
  const first = sheet.pages[0]
  if (first === undefined) return values
  const vendorKnown = has(values, 'vendor', 'name') && has(values, 'vendor', 'address')
  const customerKnown = has(values, 'customer', 'name') && has(values, 'customer', 'address')
  if (vendorKnown && customerKnown) return values
  const headParty: Party = isOrder && !customerKnown ? 'customer' : 'vendor'
  const otherParty: Party = headParty === 'vendor' ? 'customer' : 'vendor'
  const taken = wordsOf(values)
  const bank = isStatement ? bankLetterhead(sheet, first, taken) : []
  const head = (bank.length > 0 ? bank : letterhead(sheet, first, taken)).map((value) => ({
    ...value,
    party: headParty,
  }))
  values.push(...head)
  if (!has(values, otherParty, 'address')) {
    const names = new Set(head.filter(({ kind }) => kind === 'name').map(({ value }) => phraseOf(value)))
    const search = (own: readonly PartyValue[]) =>
      addressees(sheet, first, { taken: new Set([...taken, ...wordsOf(own)]), names })
    let found = search(head)
    if (isStatement && found.length === 0) {
      // A statement without an address of its bank: the address found is then the account holder's.
      const nameOnly = head.filter(({ kind }) => kind === 'name')
      found = search(nameOnly)
      const isTaken = (value: PartyValue): boolean => head.some((other) => other === value && other.kind !== 'name')
      if (found.length > 0) values.splice(0, values.length, ...values.filter((value) => !isTaken(value)))
    }
    values.push(...found.map((value) => ({ ...value, party: otherParty })))
  }
  return values
}

/** On an order, a lone buyer's name under its label is a person, not the company. */
const isPerson = (value: PartyValue): boolean =>
  value.alone && value.kind === 'name' && !looksLikeCompany(value.value) && value.words.length <= 4

const orderTitle =
  /\b(?:purchase order|einkaufsbestellung|pedido de compra|ordine fornitore|ordine a fornitore|bestellung|bon de commande|orden de compra|ordine di acquisto|ordine d acquisto|inkooporder|bestelbon|bestelopdracht|nota de encomenda|ordem de compra)\b/
const invoiceTitle = /\b(?:invoice|rechnung|facture|factura|fattura|factuur|fatura)\b/

/** The maximum number of header lines that may contain the title. */
const titleLinesMax = 14

/** True when the fields are those of an account statement, which a bank issues. */
export const isStatement = (fields: readonly Field[]): boolean => {
  const asks = (id: string): boolean => findField(fields, id) !== undefined
  return asks('bank_name') && (asks('opening_balance') || asks('closing_balance') || asks('statement_date'))
}

/** True when the first page is titled as a purchase order and not as an invoice. */
export function isPurchaseOrder(sheet: Sheet, fields: readonly Field[]): boolean {
  const lines = (sheet.pages[0]?.lines ?? []).slice(0, titleLinesMax)
  const texts = lines.flatMap((line) => line.cells.map((cell) => phraseOf(cell.text)))
  const asks = (id: string): boolean => findField(fields, id) !== undefined
  const isAsked =
    asks('purchase_order_number') && (asks('order_date') || asks('delivery_date')) && !asks('invoice_number')
  const isTitled = isAsked || texts.some((text) => orderTitle.test(text) && text.split(' ').length <= 6)
  return isTitled && (isAsked || !texts.some((text) => invoiceTitle.test(text) && text.split(' ').length <= 3))
}
