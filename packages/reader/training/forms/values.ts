import type { Json } from '@skillrun/core/json.ts'
import { addDays, type Day, isoOf, writeDay } from '../documents/dates.ts'
import { addressOf, makeBankAccount, makeName, makeParty, makePersonName } from '../documents/facts/parties.ts'
import { writeMoney, writeQuantity } from '../documents/money.ts'
import type { Random } from '../documents/random.ts'
import type { Locale } from '../documents/words.ts'

/** A value as it is printed and as it is true. */
type Printed = readonly [printed: string, truth: Json]

/** What the values of one document have in common. */
export interface Facts {
  readonly random: Random
  readonly locale: Locale
  readonly dateForm: string
  readonly from: Day
}

export const languageOf = ({ id }: Locale): string => id.slice(0, 2)

/** A value of a type of the files of kinds. */
export function printedOf(type: string, { random, locale, dateForm, from }: Facts): Printed {
  const [kind, detail = ''] = type.split(':')
  const [low = 0, high = 1] = (detail.match(/\d+/g) ?? []).map(Number)
  const same = (text: string): Printed => [text, text]
  const form = random.pick(locale.numberForms)
  switch (kind) {
    case 'person':
      return same(makePersonName(random, locale))
    case 'firm':
      return same(makeName(random, locale, 'firms'))
    case 'bank':
      return same(makeName(random, locale, 'banks'))
    case 'address':
      return same(addressOf({ ...makeParty(random, locale), country: null }))
    case 'place':
      return same(
        locale
          .pick(random, 'cities')
          .split(/[\s,/]+/)
          .find((word) => /^\p{Lu}\p{Ll}+$/u.test(word)) ?? 'Basel',
      )
    case 'phone':
      return same(random.fill(locale.pick(random, 'phones')))
    case 'email':
      return same(makeParty(random, locale).email ?? `post${random.int(1, 99)}@example.${locale.list('domain')[0]}`)
    case 'iban': {
      const { iban, accountNumber } = makeBankAccount(random, locale)
      return same(iban ?? accountNumber)
    }
    case 'code':
      return same(random.fill(detail))
    case 'words':
      return same(random.pick(detail.split('/')))
    case 'time':
      return same(`${random.int(7, 19)}:${random.pick(['00', '15', '30', '45'])}`.padStart(5, '0'))
    case 'day': {
      const day = addDays(from, random.int(-400, 400))
      return [writeDay(day, dateForm, locale), isoOf(day)]
    }
    case 'money': {
      const cents = random.int(900, 290_000)
      const { code, symbol, places } = locale.currency
      return [writeMoney(cents, { ...form, code, symbol, place: random.pick(places) }), cents / 100]
    }
    case 'percent': {
      const value = random.int(25, 990) / 100
      return [`${writeQuantity(value, form)}${random.pick([' %', '%'])}`, value]
    }
    case 'number': {
      const value = random.int(low * 10, high * 10) / 10
      const unit = detail.replace(/^[\d-]+/, '')
      return [`${writeQuantity(value, form)}${unit !== '' && random.chance(0.7) ? ` ${unit}` : ''}`, value]
    }
    default: {
      const value = random.int(low, high)
      // Years have no thousands.
      return [low > 1900 && high < 2100 ? String(value) : writeQuantity(value, form), value]
    }
  }
}
