import type { CurrencyPlace, NumberForm } from '../money.ts'
import type { Labels, Lexicon } from './lexicon.ts'

export const COMMA_DOT: NumberForm = { group: ',', decimal: '.' }
export const DOT_COMMA: NumberForm = { group: '.', decimal: ',' }
export const SPACE_COMMA: NumberForm = { group: '\u00a0', decimal: ',' }
export const APOSTROPHE: NumberForm = { group: "'", decimal: '.' }
export const NONE_DOT: NumberForm = { group: '', decimal: '.' }
export const NONE_COMMA: NumberForm = { group: '', decimal: ',' }

/** A language as one country writes it: its numbers, dates, addresses, taxes and names. */
export interface Locale {
  readonly id: string
  readonly lexicon: Lexicon
  /** Printed in addresses to abroad, and sometimes at home. */
  readonly country: string
  readonly numberForms: readonly NumberForm[]
  /** Forms for `writeDay`. */
  readonly dateForms: readonly string[]
  readonly currency: { readonly code: string; readonly symbol: string; readonly places: readonly CurrencyPlace[] }
  readonly taxRates: readonly number[]
  /** Labels of this country where they differ from the language's. */
  readonly labels?: Partial<Labels>
  /** Patterns for `Random.fill`. */
  readonly vatIds: readonly string[]
  readonly phones: readonly string[]
  /** Country code and the form of the national account number; null where IBANs are not used. */
  readonly iban: { readonly code: string; readonly bban: string } | null
  readonly domain: string
  /** Lists are written with `|` between their members. `{n}` house number, `{last}` a surname, `{word}` a made-up name. */
  readonly streets: string
  /** Address lines under the street, `/` between lines; may hold `#` and `@`. */
  readonly cities: string
  readonly houseNumbers: readonly [min: number, max: number]
  readonly extraLines?: string
  readonly firms: string
  readonly shops: string
  readonly banks: string
  /** Cash totals are rounded to this many cents. */
  readonly cashStepCents?: number
}
