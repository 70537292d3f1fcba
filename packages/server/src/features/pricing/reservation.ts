import type { Micros } from '../../core/money.ts'

/** The payer: the execution, and the key whose day is charged. */
export interface Payer {
  readonly workspaceId: string
  readonly executionId: string
  readonly keyId: string
  /** The paying run: one that was superseded can reserve nothing more. */
  readonly attempt: number
  /** Cost limit of this execution; null: none. */
  readonly executionMicrosMax: Micros | null
}

/** Money reserved for one call until it is settled. */
export interface Reservation {
  readonly id: string
  readonly micros: Micros
  /** When it was made: its settlement is booked on that day. */
  readonly madeAt: Date
}

/** Why the reservation failed, in words for the record. */
export interface Refusal {
  /** `superseded`: the execution has ended, or another run has it. */
  readonly refused: 'execution' | 'key' | 'superseded'
  readonly message: string
  /** The refused amount. */
  readonly micros: Micros
}
