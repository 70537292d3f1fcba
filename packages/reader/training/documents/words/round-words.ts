import { type LabelKey, type Labels, type Lexicon, seenWordings } from './lexicon.ts'
import type { Locale } from './locale.ts'

/**
 * What one language has only in the documents of one round. Who tunes the engine does not read the files `kept-out-*`. Lists are
 * written with `|` between their members.
 */
export interface RoundWords {
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
}

/** Words of the second round, with those that its layouts print. */
export interface SecondWords extends RoundWords {
  readonly printed: PrintedWords
}

/** Words that only the layouts of the round print and no one asks for. */
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

/** The locale with the words of a round beside the common ones, and firms, shops and banks of the round's own. */
export function withRoundWords(locale: Locale, own: RoundWords, { isOwnPlace }: { isOwnPlace: boolean }): Locale {
  const { lexicon } = locale
  return {
    ...locale,
    lexicon: {
      ...lexicon,
      ...joinThings(lexicon, own),
      movementsIn: own.movementsIn,
      movementsOut: own.movementsOut,
      itemNotes: own.itemNotes,
      notes: own.notes,
      thanks: own.thanks,
      shippingTerms: own.shippingTerms,
      labels: joinLabels(lexicon.labels, own.labels),
    },
    ...(isOwnPlace ? {} : { firms: own.firms }),
    shops: own.shops,
    banks: own.banks,
  }
}

/** The locale with all but the labels of a round added to what it has. */
export function withMore(locale: Locale, own: RoundWords): Locale {
  const { lexicon } = locale
  return {
    ...locale,
    lexicon: {
      ...lexicon,
      ...joinThings(lexicon, own),
      movementsIn: `${lexicon.movementsIn}|${own.movementsIn}`,
      movementsOut: `${lexicon.movementsOut}|${own.movementsOut}`,
      itemNotes: `${lexicon.itemNotes}|${own.itemNotes}`,
      notes: `${lexicon.notes}|${own.notes}`,
      thanks: `${lexicon.thanks}|${own.thanks}`,
      shippingTerms: `${lexicon.shippingTerms}|${own.shippingTerms}`,
    },
    firms: `${locale.firms}|${own.firms}`,
    shops: `${locale.shops}|${own.shops}`,
    banks: `${locale.banks}|${own.banks}`,
  }
}

function joinLabels(seen: Labels, own: Partial<Labels>): Labels {
  const labels: Partial<Record<LabelKey, string>> = {}
  for (const key of Object.keys(seen) as LabelKey[]) {
    const common = seenWordings(seen[key], undefined).join('|')
    labels[key] = own[key] === undefined ? common : `${common} ~ ${own[key]}`
  }
  return { ...seen, ...labels }
}

function joinThings(lexicon: Lexicon, own: RoundWords): Pick<Lexicon, 'goods' | 'services' | 'groceries' | 'terms'> {
  const { goods, services, groceries, terms } = own.things
  return {
    goods: [...lexicon.goods, ...goods],
    services: [...lexicon.services, ...services],
    groceries: [...lexicon.groceries, ...groceries],
    terms: [...lexicon.terms, ...terms],
  }
}
