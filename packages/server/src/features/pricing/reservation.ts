import type { Micros } from '../../core/money.ts'

/** Who pays for what: the execution, and the key whose day is charged. */
export interface Payer {
  readonly workspaceId: string
  readonly executionId: string
  readonly keyId: string
  /** The run that pays: one that has lost its execution to another sets nothing aside any more. */
  readonly attempt: number
  /** Most that this execution may cost in all; null: no bound. */
  readonly executionMicrosMax: Micros | null
}

/** Money set aside for one call until it is settled. */
export interface Reservation {
  readonly id: string
  readonly micros: Micros
  /** When it was made: whatever comes of it is booked on that day. */
  readonly madeAt: Date
}

/** Why money could not be set aside, in words for the record. */
export interface Refusal {
  /** `over`: the execution has ended, or another run has it. */
  readonly refused: 'execution' | 'key' | 'over'
  readonly message: string
  /** What should have been set aside. */
  readonly micros: Micros
}
