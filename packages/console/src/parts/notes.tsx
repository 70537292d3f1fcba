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

const signs: Readonly<Record<EvidenceStatus, { sign: string; told: string }>> = {
  verified: { sign: '✓', told: 'The quoted text stands on the page and is the value' },
  normalised: { sign: '≈', told: 'The value is the quoted text in another form' },
  derived: { sign: '∑', told: 'The value follows from other evidence' },
  unsupported: { sign: '?', told: 'Nothing on the page supports a value' },
}

interface EvidenceMarkProps {
  readonly status: EvidenceStatus
  readonly note?: string | undefined
  /** How many values are meant; one where it is not given. */
  readonly many?: number
}

/** How a value was found to hold. */
export function EvidenceMark({ status, note, many }: EvidenceMarkProps) {
  const { sign, told } = signs[status]
  return (
    <span class={`proof ${status}`} title={note ?? told}>
      <i aria-hidden="true">{sign}</i>
      {many === undefined ? status : `${many} ${status}`}
    </span>
  )
}
