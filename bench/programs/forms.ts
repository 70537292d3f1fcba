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

/**
 * The layouts that a sender used one after the other. 1: the first. 2: every label has another name. 3: like 2, but
 * freight is added below, so that the former total is an intermediate sum. 4: another program prints them, with swapped
 * columns.
 */
export const forms: readonly ((random: Random) => Paper)[] = [
  (random) => {
    const { number, day, items, sum } = factsOf(random)
    return {
      text: [
        'Seaview Chandlery',
        'Invoice',
        `Invoice no.   ${number}`,
        `Date          ${day.printed}`,
        ...(random.chance(0.5) ? [`Customer      ${random.digits(5)}`] : []),
        ...items.map(({ name, price }) => `${name.padEnd(14)}${price.toFixed(2)}`),
        `Total         ${sum.toFixed(2)}`,
        'Please pay within 14 days',
      ].join('\n'),
      answer: { number, date: day.iso, amount: sum },
    }
  },
  (random) => {
    const { number, day, items, sum } = factsOf(random)
    return {
      text: [
        'Seaview Chandlery',
        'Statement of purchase',
        `Document      ${number}`,
        `Drawn up      ${day.printed}`,
        ...(random.chance(0.5) ? [`Account       ${random.digits(5)}`] : []),
        ...items.map(({ name, price }) => `${name.padEnd(14)}${price.toFixed(2)}`),
        `Sum of goods  ${sum.toFixed(2)}`,
        'Please pay within 14 days',
      ].join('\n'),
      answer: { number, date: day.iso, amount: sum },
    }
  },
  (random) => {
    const { number, day, items, sum } = factsOf(random)
    const freight = random.int(5, 40)
    return {
      text: [
        'Seaview Chandlery',
        'Statement of purchase',
        `Document      ${number}`,
        `Drawn up      ${day.printed}`,
        ...(random.chance(0.5) ? [`Account       ${random.digits(5)}`] : []),
        ...items.map(({ name, price }) => `${name.padEnd(14)}${price.toFixed(2)}`),
        `Sum of goods  ${sum.toFixed(2)}`,
        `Freight       ${freight.toFixed(2)}`,
        `Owed          ${(sum + freight).toFixed(2)}`,
        'Please pay within 14 days',
      ].join('\n'),
      answer: { number, date: day.iso, amount: cents(sum + freight) },
    }
  },
  (random) => {
    const { number, day, items, sum } = factsOf(random)
    const freight = random.int(5, 40)
    return {
      text: [
        'SEAVIEW CHANDLERY',
        `No ${number}          of ${day.printed}`,
        `Owed on the last bill     ${(random.int(100, 9_000) / 100).toFixed(2)}`,
        ...items.map(({ name, price }) => `${price.toFixed(2).padStart(10)}  ${name}`),
        `${freight.toFixed(2).padStart(10)}  Freight`,
        `${(sum + freight).toFixed(2).padStart(10)}  now due`,
        'Please pay within 14 days',
      ].join('\n'),
      answer: { number, date: day.iso, amount: cents(sum + freight) },
    }
  },
]

/** The third layout, but the amount due has a label that was there before: no word indicates the change. */
export const quietForm = (random: Random): Paper => {
  const { number, day, items, sum } = factsOf(random)
  const freight = random.int(5, 40)
  return {
    text: [
      'Seaview Chandlery',
      'Statement of purchase',
      `Document      ${number}`,
      `Drawn up      ${day.printed}`,
      ...(random.chance(0.5) ? [`Account       ${random.digits(5)}`] : []),
      ...items.map(({ name, price }) => `${name.padEnd(14)}${price.toFixed(2)}`),
      `Sum of goods  ${sum.toFixed(2)}`,
      `Rope          ${freight.toFixed(2)}`,
      `Sum of goods  ${(sum + freight).toFixed(2)}`,
      'Please pay within 14 days',
    ].join('\n'),
    answer: { number, date: day.iso, amount: cents(sum + freight) },
  }
}

const cents = (value: number): number => Math.round(value * 100) / 100

function factsOf(random: Random) {
  const items = random.sample(wares, random.int(1, 5)).map((name) => ({ name, price: random.int(100, 20_000) / 100 }))
  const [month, day] = [random.int(1, 12), random.int(1, 28)]
  const iso = `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return {
    number: `SC-${random.digits(5)}`,
    day: { iso, printed: iso },
    items,
    sum: cents(items.reduce((sum, { price }) => sum + price, 0)),
  }
}
