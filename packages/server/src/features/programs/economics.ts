import { assert } from '@skillrun/core/assert.ts'
import { type Micros, quotient } from '../../core/money.ts'

/** Spending and counts, money in whole micro-dollars. */
export interface Books {
  /** Cost of writing the program, including the runs of its gate. */
  readonly compileMicros: Micros
  readonly runs: number
  readonly runMicros: Micros
  /** Agent runs that the program could have replaced. */
  readonly agentRuns: number
  readonly agentMicros: Micros
}

export interface Economics {
  readonly compileMicros: Micros
  /** Average cost of an agent run, rounded half up; null before the first. */
  readonly agentRunMicros: Micros | null
  readonly programRunMicros: Micros | null
  /** Program runs after which compiling has paid for itself; null if never, or if an agent's price is unknown. */
  readonly breakEvenRuns: number | null
  /**
   * The estimated cost of the runs so far as agents, minus the real cost of them, their shadows and compiling. Negative until it breaks
   * even.
   */
  readonly savedMicros: Micros
}

/** Whether a program pays off: in whole micro-dollars, averages rounded half up, runs rounded up. */
export function economicsOf(books: Books & { readonly shadowMicros: Micros }): Economics {
  const { compileMicros, runs, runMicros, agentRuns, agentMicros, shadowMicros } = books
  assert(
    Object.values(books).every((one) => Number.isSafeInteger(one) && one >= 0),
    'books hold whole numbers from 0',
  )
  const agentRunMicros = averageOf(agentMicros, agentRuns)
  const programRunMicros = averageOf(runMicros, runs)
  if (agentRunMicros === null)
    return {
      compileMicros,
      agentRunMicros,
      programRunMicros,
      breakEvenRuns: null,
      savedMicros: -compileMicros - runMicros - shadowMicros,
    }
  const gainMicros = agentRunMicros - (programRunMicros ?? 0)
  const breakEvenRuns =
    gainMicros > 0 ? Math.ceil(compileMicros / gainMicros) : compileMicros === 0 && gainMicros === 0 ? 0 : null
  return {
    compileMicros,
    agentRunMicros,
    programRunMicros,
    breakEvenRuns,
    savedMicros: runs * agentRunMicros - runMicros - compileMicros - shadowMicros,
  }
}

const averageOf = (sum: Micros, count: number): Micros | null => (count === 0 ? null : quotient(sum, count))
