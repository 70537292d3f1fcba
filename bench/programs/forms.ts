import type { Json, JsonSchema } from '../../packages/core/src/json.ts'
import type { Random } from '../../packages/reader/training/documents/random.ts'

export const formSchema: JsonSchema = {
  type: 'object',
  properties: {
    number: { type: ['string', 'null'] },
    date: { type: ['string', 'null'], format: 'date' },
    amount: { type: ['number', 'null'], description: 'What is to be paid' },
  },
  required: ['number', 'date', 'amount'],
}

/** One document of a sender, as text, with its correct answer. */
export interface Paper {
  readonly text: string
  readonly answer: { readonly [field: string]: Json }
}

const wares = ['Rope', 'Canvas', 'Pulley', 'Anchor', 'Lantern', 'Compass', 'Oilskin', 'Chart', 'Tiller', 'Cleat']

const cents = (value: number): number => Math.round(value * 100) / 100

/** What a document of the sender says, and the lines of its goods. */
const factsOf = (random: Random) => {
  const items = random.sample(wares, random.int(1, 5)).map((name) => ({ name, price: random.int(100, 20_000) / 100 }))
  const [month, day] = [random.int(1, 12), random.int(1, 28)]
  const date = `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const number = `SC-${random.digits(5)}`
  return { number, date, items, sum: cents(items.reduce((sum, { price }) => sum + price, 0)) }
}

const labelled = (label: string, value: string | number): string =>
  label.padEnd(14) + (typeof value === 'number' ? value.toFixed(2) : value)

const closing = 'Please pay within 14 days'

/** A paper with labels at the left: head, goods, and sums, the last of which is to be paid. */
const paperOf =
  (
    [title, numberLabel, dateLabel, accountLabel]: readonly [string, string, string, string],
    sumsOf: (sum: number, random: Random) => readonly (readonly [label: string, value: number])[],
  ) =>
  (random: Random): Paper => {
    const { number, date, items, sum } = factsOf(random)
    const sums = sumsOf(sum, random)
    const account = random.chance(0.5) ? [labelled(accountLabel, random.digits(5))] : []
    const text = [
      ...['Seaview Chandlery', title, labelled(numberLabel, number), labelled(dateLabel, date), ...account],
      ...[...items.map(({ name, price }) => [name, price] as const), ...sums].map((line) => labelled(...line)),
      closing,
    ].join('\n')
    return { text, answer: { number, date, amount: cents(sums.at(-1)?.[1] ?? 0) } }
  }

const later = ['Statement of purchase', 'Document', 'Drawn up', 'Account'] as const
const freightOf = (random: Random): number => random.int(5, 40)

/**
 * The layouts that a sender used one after the other. 1: the first. 2: every label has another name. 3: like 2, but
 * freight is added below, so that the former total is an intermediate sum. 4: another program prints them, with swapped
 * columns.
 */
export const forms: readonly ((random: Random) => Paper)[] = [
  paperOf(['Invoice', 'Invoice no.', 'Date', 'Customer'], (sum) => [['Total', sum]]),
  paperOf(later, (sum) => [['Sum of goods', sum]]),
  paperOf(later, (sum, random) => {
    const freight = freightOf(random)
    return [
      ['Sum of goods', sum],
      ['Freight', freight],
      ['Owed', sum + freight],
    ]
  }),
  (random) => {
    const { number, date, items, sum } = factsOf(random)
    const freight = freightOf(random)
    const priced = (price: number, name: string) => `${price.toFixed(2).padStart(10)}  ${name}`
    const text = [
      'SEAVIEW CHANDLERY',
      `No ${number}          of ${date}`,
      `Owed on the last bill     ${(random.int(100, 9_000) / 100).toFixed(2)}`,
      ...items.map(({ name, price }) => priced(price, name)),
      priced(freight, 'Freight'),
      priced(sum + freight, 'now due'),
      closing,
    ].join('\n')
    return { text, answer: { number, date, amount: cents(sum + freight) } }
  },
]

/** The third layout, but the amount due has a label that was there before: no word indicates the change. */
export const quietForm = paperOf(later, (sum, random) => {
  const freight = freightOf(random)
  return [
    ['Sum of goods', sum],
    ['Rope', freight],
    ['Sum of goods', sum + freight],
  ]
})
