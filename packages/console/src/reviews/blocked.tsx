import { count, hourText } from '../format.ts'
import type { Block } from './holding.ts'

const minuteMs = 60_000

interface BlockedProps {
  readonly block: Block
  /** Whether the person has changes that are not saved. */
  readonly hasDraft: boolean
  readonly onAgain: () => void
  readonly onNext: (() => void) | undefined
  readonly onLeave: () => void
}

/** Instead of the correction: who reviews the execution, until when, and what the person can do. */
export function Blocked({ block: { reason, claim, isFree }, hasDraft, onAgain, onNext, onLeave }: BlockedProps) {
  return (
    <>
      <p class={isFree ? '' : 'problem'} role="status">
        {isFree ? 'Nobody is reviewing this execution any more.' : claim ? claimText(claim) : reason}
        {hasDraft && ' What you have not saved is kept.'}
      </p>
      <p class="acts">
        {isFree && (
          <button type="button" class="primary" onClick={onAgain}>
            Review it
          </button>
        )}
        {onNext && (
          <button type="button" class={isFree ? '' : 'primary'} onClick={onNext}>
            Review another
          </button>
        )}
        <button type="button" class="quiet" onClick={onLeave}>
          Only read it
        </button>
      </p>
    </>
  )
}

/** `Ann is reviewing this execution until 11:11 PM, in 9 minutes.` */
function claimText({ by, until }: NonNullable<Block['claim']>): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / minuteMs))
  return `${by?.name ?? 'A deleted key'} is reviewing this execution until ${hourText(until)}, in ${count(minutes, 'minute')}.`
}
