import type { ComponentChildren } from 'preact'
import type { EvidenceStatus, Status } from '../wire.ts'

/** What went wrong, or nothing. */
export function Problem({ text }: { text: string }) {
  return text === '' ? null : <p class="problem">{text}</p>
}

/** Said where a list has nothing in it yet. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <div class="nothing">{children}</div>
}

/** The state of an execution. */
export function StatusMark({ status }: { status: Status }) {
  return (
    <span class={`status ${status}`}>
      <i aria-hidden="true" />
      {status}
    </span>
  )
}

/** The words and signs of the four wire values. */
export const signs: Readonly<Record<EvidenceStatus, { sign: string; word: string; told: string }>> = {
  verified: { sign: '✓', word: 'verified', told: 'The value is printed on the page exactly as shown' },
  normalised: { sign: '≈', word: 'reformatted', told: 'The value is printed on the page in another format' },
  derived: { sign: '∑', word: 'inferred', told: 'The value was inferred; it is not printed on the page in this form' },
  unsupported: { sign: '?', word: 'not found', told: 'The value was not found on the page' },
}

interface EvidenceMarkProps {
  readonly status: EvidenceStatus
  readonly note?: string | undefined
  /** Number of values; absent for a single value. */
  readonly many?: number
}

/** The evidence status of a value, in the console's words. */
export function EvidenceMark({ status, note, many }: EvidenceMarkProps) {
  const { sign, word, told } = signs[status]
  return (
    <span class={`proof ${status}`} title={note ?? told}>
      <i aria-hidden="true">{sign}</i>
      {many === undefined ? word : `${many} ${word}`}
    </span>
  )
}
