/** Internal money is in whole micro-dollars (1 USD = 1,000,000). */
export type Micros = number

/** Micro-dollars to the API's dollars, exact to the micro-dollar. */
export const dollarsOf = (micros: Micros): number => micros / 1_000_000

/** The API's dollars to whole micro-dollars. */
export const microsOf = (dollars: number | null): Micros | null =>
  dollars === null ? null : Math.round(dollars * 1_000_000)

/** The one rounding of money: a quotient of whole numbers that are not negative, half up to a whole micro-dollar. Only reservations round up. */
export const quotient = (dividend: number, divisor: number): Micros =>
  Math.floor((2 * dividend + divisor) / (2 * divisor))

/** A price times a multiplier given in thousandths (1800 = 1.8×). */
export const multiplied = (micros: Micros, thousandths: number): Micros => quotient(micros * thousandths, 1000)

/** A sum of tokens times micro-dollars per million tokens. */
export const perMillion = (tokenMicros: number): Micros => quotient(tokenMicros, 1_000_000)

/** The cost in credits: 100 credits = 1 USD, rounded up. */
export const creditsOf = (micros: Micros): number => Math.ceil(micros / 10_000)
