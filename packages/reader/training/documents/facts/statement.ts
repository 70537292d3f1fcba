import { addDays, type Day, isoOf, monthEnd, randomDay } from '../dates.ts'
import type { Random } from '../random.ts'
import type { Accepts, Truth } from '../schemas.ts'
import type { Locale } from '../words.ts'
import { amountOf } from './invoice.ts'
import {
  acceptedAddress,
  addressOf,
  makeBankAccount,
  makeName,
  makeParty,
  makePersonName,
  type Party,
} from './parties.ts'

export interface Movement {
  readonly day: Day
  readonly valueDay: Day
  readonly description: string
  /** Negative for debits. */
  readonly amountCents: number
  readonly balanceCents: number
  /** Its row shows no balance although others do. */
  readonly hidesBalance?: true
  /** A number or name on a second line below the description. */
  readonly reference?: string
}

/** All facts of an account statement; null is not printed. */
export interface StatementFacts {
  readonly bank: Party
  readonly holder: Party
  readonly accountNumber: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly number: string | null
  readonly date: Day | null
  readonly start: Day
  readonly end: Day
  readonly openingCents: number
  readonly closingCents: number
  readonly creditsCents: number | null
  readonly debitsCents: number | null
  readonly movements: readonly Movement[]
  /** True when rows show the balance after each movement. */
  readonly withBalances: boolean
  readonly withValueDays: boolean
  readonly note: string | null
}

export function makeStatementFacts(random: Random, locale: Locale): StatementFacts {
  const start = { ...randomDay(random), day: 1 }
  const end = random.chance(0.8) ? monthEnd(start) : addDays(start, 89)
  const opening = random.int(-80_000, 1_900_000)
  const movements = makeMovements(random.fork('movements'), { locale, start, end, opening })
  const sumOf = (sign: 1 | -1) => movements.reduce((sum, { amountCents }) => sum + Math.max(0, sign * amountCents), 0)
  const account = makeBankAccount(random.fork('account'), locale)
  const isPerson = random.chance(0.6)
  const name = isPerson ? makePersonName(random, locale) : makeName(random, locale, 'firms')
  const holder = makeParty(random.fork('holder'), locale, name)
  const bank = makeParty(random.fork('bank'), locale, makeName(random, locale, 'banks'))
  const showsSums = random.chance(0.55)
  const showsNumber = account.iban === null || random.chance(0.5)
  return {
    bank: { ...bank, contact: null },
    holder: { ...holder, contact: null, email: null, phone: null, fax: null, website: null, vatId: null },
    accountNumber: showsNumber ? account.accountNumber : null,
    iban: showsNumber && random.chance(0.3) ? null : account.iban,
    bic: account.iban !== null && random.chance(0.5) ? account.bic : null,
    number: random.chance(0.5)
      ? random.pick([String(random.int(1, 24)), `${random.int(1, 12)}/${start.year}`, random.digits(6)])
      : null,
    date: random.chance(0.5) ? addDays(end, random.int(0, 4)) : null,
    start,
    end,
    openingCents: opening,
    closingCents: movements.at(-1)?.balanceCents ?? opening,
    creditsCents: showsSums ? sumOf(1) : null,
    debitsCents: showsSums ? sumOf(-1) : null,
    movements,
    withBalances: random.chance(0.65),
    withValueDays: random.chance(0.25),
    note: random.chance(0.3) ? locale.pick(random, 'notes') : null,
  }
}

interface MovementPlan {
  readonly locale: Locale
  readonly start: Day
  readonly end: Day
  readonly opening: number
}

function makeMovements(random: Random, { locale, start, end, opening }: MovementPlan): Movement[] {
  const count = random.weighted([4, random.int(3, 9)], [5, random.int(8, 22)], [2, random.int(25, 60)])
  const span = Math.round((Date.parse(isoOf(end)) - Date.parse(isoOf(start))) / 86_400_000)
  const offsets = Array.from({ length: count }, () => random.int(0, span)).toSorted((a, b) => a - b)
  let balanceCents = opening
  return offsets.map((offset) => {
    const isIn = random.chance(balanceCents < 0 ? 0.6 : 0.3)
    const size = random.weighted(
      [5, random.int(250, 9_000)],
      [4, random.int(3_000, 60_000)],
      [1, random.int(50_000, 420_000)],
    )
    const amountCents = isIn ? size * 2 : -size
    balanceCents += amountCents
    const words = locale.pick(random, isIn ? 'movementsIn' : 'movementsOut')
    const day = addDays(start, offset)
    return {
      day,
      valueDay: addDays(day, random.pick([0, 0, 0, 1])),
      description: words
        .replace('{name}', () => makePersonName(random, locale))
        .replace('{firm}', () => makeName(random, locale, 'firms'))
        .replace('{ref}', () => random.digits(6)),
      amountCents,
      balanceCents,
    }
  })
}

/** The correct answer for `statementSchema`. */
export function statementTruth(facts: StatementFacts, currency: string | null): Truth {
  return {
    bank_name: facts.bank.name,
    account_holder: facts.holder.name,
    account_holder_address: addressOf(facts.holder),
    account_number: facts.accountNumber,
    iban: facts.iban,
    statement_number: facts.number,
    statement_date: facts.date && isoOf(facts.date),
    period_start: isoOf(facts.start),
    period_end: isoOf(facts.end),
    currency,
    opening_balance: amountOf(facts.openingCents),
    closing_balance: amountOf(facts.closingCents),
    total_credits: amountOf(facts.creditsCents),
    total_debits: amountOf(facts.debitsCents),
    transactions: facts.movements.map((movement) => ({
      date: isoOf(movement.day),
      description: movement.description,
      amount: amountOf(movement.amountCents),
      balance: facts.withBalances && !movement.hidesBalance ? amountOf(movement.balanceCents) : null,
    })),
  }
}

/** The description including its second line is also accepted. */
export function statementAccepts(facts: StatementFacts): Accepts {
  const rows = facts.movements.flatMap(({ description, reference }, n) =>
    reference === undefined ? [] : [[`transactions/${n}/description`, [`${description} ${reference}`]] as const],
  )
  return { ...acceptedAddress('account_holder_address', facts.holder), ...Object.fromEntries(rows) }
}
