import type { ReviewChange } from '@skillrun/client/openapi.ts'
import { Fragment } from 'preact'
import { numberText, wholePercent } from '../../format.ts'
import { DoubtMark, EvidenceMark, signs } from '../../parts/notes.tsx'
import { type Evidence, isJsonObject, type Json } from '../../wire.ts'
import type { BranchProps } from './props.ts'

const longTextCharacters = 160

/** Whether a person should check the value, or the row that it is in. */
export const isDoubted = (pointer: string, doubts: ReadonlySet<string>): boolean =>
  doubts.has(pointer) || doubts.has(/^.*\/\d+(?=\/[^/]*$)/.exec(pointer)?.[0] ?? pointer)

interface MarkProps {
  readonly value: Json
  readonly evidence: Evidence | undefined
  readonly needsLook: boolean
  readonly change: ReviewChange | undefined
}

const reviewWords = {
  corrected: 'corrected this value',
  confirmed: 'confirmed this value',
  absent: 'found no such value in the document',
} as const

const wasText = ({ kind, from }: ReviewChange): string =>
  kind === 'confirmed' ? '' : `; the answer was ${from === null ? 'empty' : textOf(from as Json)}`

/** The evidence status of a value; nothing for a field that the document lacks. */
export function Mark({ value, evidence, needsLook, change }: MarkProps) {
  if (change)
    return (
      <span class="proof reviewed" title={`A person ${reviewWords[change.kind]}${wasText(change)}`}>
        <i aria-hidden="true">✎</i>
        <span class="unseen">{reviewWords[change.kind]}</span>
      </span>
    )
  if (!evidence) return needsLook ? <DoubtMark isMissing={value === null} /> : null
  return value === null && !needsLook ? null : <EvidenceMark evidence={evidence} isDoubtful={needsLook} />
}

/** One value; a button if it has a place in the document. */
export function Leaf({ value, pointer, evidence, look, pick, rows, reviewed, isCell = false }: BranchProps) {
  const isEditable = rows.edit !== undefined
  const found = evidence[pointer]
  const text = textOf(value, found)
  const isLong = typeof value === 'string' && (value.length > longTextCharacters || value.includes('\n'))
  if (isLong && !isEditable) return <pre class="long">{text}</pre>
  const shown =
    value === null ? <Missing evidence={reviewed?.has(pointer) ? undefined : found} isCell={isCell} /> : text
  if (isEditable)
    return (
      <button type="button" class="value placed editable" onClick={() => pick?.(pointer)}>
        {shown}
      </button>
    )
  if (!found || !isPlaced(found))
    return (
      <span class="value" title={found?.element}>
        {shown}
      </span>
    )
  return (
    <button
      type="button"
      class="value placed"
      title={[
        found.quote ? `${signs[found.status].word}: “${found.quote}”` : signs[found.status].word,
        `${wholePercent(found.confidence)} confidence`,
        ...(found.element ? [found.element] : []),
      ].join('\n')}
      onFocus={() => look(pointer)}
      onBlur={() => look(null)}
      onClick={() => {
        look(pointer)
        pick?.(pointer)
      }}
    >
      {shown}
    </button>
  )
}

/** A null, with the candidate if one was found with low confidence. */
function Missing({ evidence, isCell }: { evidence: Evidence | undefined; isCell: boolean }) {
  const { candidates = [] } = evidence ?? {}
  if (candidates.length === 0 && isCell)
    return (
      <span class="soft" title="not found">
        <span aria-hidden="true">–</span>
        <span class="unseen">not found</span>
      </span>
    )
  if (candidates.length === 0) return <span class="soft">not found</span>
  return (
    <span class="soft">
      not sure enough:{' '}
      {candidates.map(({ value, confidence }, index) => (
        <Fragment key={index}>
          {index > 0 && ', '}
          {/* Otherwise a right-to-left value would move the percentage into itself. */}
          <bdi>{textOf(value as Json)}</bdi> ({wholePercent(confidence)})
        </Fragment>
      ))}
    </span>
  )
}

/** Whether the evidence has a place that can be shown. */
export const isPlaced = ({ page, bbox, span }: Evidence): boolean =>
  (page !== undefined && bbox !== undefined) || span !== undefined

export function textOf(value: Json, found?: Evidence): string {
  // As many decimals as the document prints: 12.5 beside “£12.50” is 12.50.
  if (typeof value === 'number') return numberText(value, /[.,]\d\d(?!\d)/.test(found?.quote ?? '') ? 2 : 0)
  if (typeof value === 'string') return value === '' ? '“”' : value
  // An empty list that nothing in the document supports does not say that there are none.
  if (Array.isArray(value)) return found === undefined || found.status === 'unsupported' ? 'not found' : 'none'
  return isJsonObject(value) ? 'nothing' : String(value)
}
