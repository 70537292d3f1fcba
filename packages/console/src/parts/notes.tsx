import type { ComponentChildren } from 'preact'
import { wholePercent } from '../format.ts'
import type { Evidence, EvidenceStatus, SkillImprovement, Status } from '../wire.ts'

/** An error message, or nothing. */
export function Problem({ text }: { text: string }) {
  return text === '' ? null : <p class="problem">{text}</p>
}

/** For an empty list: what would be here, and how to add it. */
export function Nothing({ title, children }: { title?: string; children: ComponentChildren }) {
  return (
    <div class={title ? 'nothing teach' : 'nothing'}>
      {title && <h2>{title}</h2>}
      {children}
    </div>
  )
}

const skeletonWidths = ['100%', '94%', '97%', '88%', '92%', '85%']

/** A placeholder of about the size of the loading content. */
export function Skeletons({ rows = skeletonWidths.length }: { rows?: number }) {
  return (
    <div class="skeletons stack" aria-busy="true">
      <span class="unseen" role="status">
        Loading…
      </span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="skeleton" style={{ width: skeletonWidths[index % skeletonWidths.length] }} />
      ))}
    </div>
  )
}

/** The state of an execution. */
export function StatusMark({ status }: { status: Status | SkillImprovement['status'] }) {
  return (
    <span class={`status ${status}`}>
      <i aria-hidden="true" />
      {status}
    </span>
  )
}

/** Words and symbols of the four wire values. */
export const signs: Readonly<Record<EvidenceStatus, { sign: string; word: string; description: string }>> = {
  verified: { sign: '✓', word: 'verified', description: 'The value is printed on the page exactly as shown' },
  normalised: { sign: '≈', word: 'reformatted', description: 'The value is printed on the page in another format' },
  derived: {
    sign: '∑',
    word: 'inferred',
    description: 'The value was inferred; it is not printed on the page in this form',
  },
  unsupported: { sign: '?', word: 'not found', description: 'The value was not found on the page' },
}

interface EvidenceMarkProps {
  readonly evidence: Evidence
  /** Whether a person should check the value: the mark then says why. */
  readonly isDoubtful: boolean
}

/** The evidence status of a value as a small symbol, with words on hover and for screen readers. */
export function EvidenceMark({ evidence, isDoubtful }: EvidenceMarkProps) {
  const { status, note, confidence } = evidence
  const { sign, word, description } = signs[status]
  const sure = `${wholePercent(confidence)} confidence`
  return (
    <span
      class={isDoubtful ? `proof look ${status}` : `proof ${status}`}
      title={`${capitalised(word)}. ${note ?? `${description}.`} ${sure}`}
    >
      <i aria-hidden="true">{sign}</i>
      {isDoubtful && status !== 'unsupported' && `${wholePercent(confidence)} sure`}
      <span class={isDoubtful && status === 'unsupported' ? '' : 'unseen'}> {word}</span>
    </span>
  )
}

/** The mark of a value to check that has no evidence at all. */
export function DoubtMark({ isMissing }: { isMissing: boolean }) {
  const { sign, word } = signs.unsupported
  return (
    <span
      class="proof look unsupported"
      title={isMissing ? 'The schema requires this field, and the answer lacks it' : 'Nothing supports the value'}
    >
      <i aria-hidden="true">{sign}</i> {isMissing ? word : 'no evidence'}
    </span>
  )
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The legend of the symbols. */
export function Legend() {
  return (
    <details class="menu">
      <summary class="button quiet small">Legend</summary>
      <dl class="menu-items legend">
        {Object.entries(signs).map(([status, { sign, word, description }]) => (
          <div key={status}>
            <dt class={`proof ${status}`}>
              <i aria-hidden="true">{sign}</i> {word}
            </dt>
            <dd class="small soft">{description}.</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
