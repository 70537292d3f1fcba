import type { Labels, Lexicon } from './lexicon.ts'

/**
 * What one language has only in the kept-out part. Who tunes the engine does not read the files `kept-out-*`. Lists are
 * written with `|` between their members.
 */
export interface KeptOutWords {
  /** Wordings of labels that no other part has. */
  readonly labels: Partial<Labels>
  readonly things: Pick<Lexicon, 'goods' | 'services' | 'groceries' | 'terms'>
  readonly movementsIn: string
  readonly movementsOut: string
  readonly itemNotes: string
  readonly notes: string
  readonly thanks: string
  readonly shippingTerms: string
  readonly firms: string
  readonly shops: string
  readonly banks: string
  readonly printed: PrintedWords
}

/** Words that only the kept-out layouts print and no one asks for. */
export interface PrintedWords {
  /** Title of the slip at the foot of an invoice, and what is to be done with it. */
  readonly slip: readonly [title: string, note: string]
  readonly payee: string
  readonly payer: string
  /** A sentence with `{amount}` and `{date}`. */
  readonly dueBy: string
  readonly folio: string
  readonly hotel: string
  readonly charges: string
  readonly stay: readonly [arrival: string, departure: string, room: string]
  readonly sections: readonly [order: string, parties: string, items: string, delivery: string, terms: string]
  readonly aging: readonly [title: string, ...ages: string[]]
  readonly document: string
  readonly parking: readonly [item: string, entry: string, exit: string, paidAt: string]
  readonly callNumber: string
  readonly eating: string
  readonly extras: string
  /** Lines of a card terminal. */
  readonly terminal: readonly [kind: string, approved: string, keep: string]
  readonly cardPayments: readonly [movementIn: string, movementsOut: string]
  readonly settled: readonly [paid: string, open: string]
}
