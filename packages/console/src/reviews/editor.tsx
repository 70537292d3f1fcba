import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { valueAt } from '@skillrun/core/json.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import type { GridPage } from '../executions/grid-text.ts'
import { exactNumber, valueLabel, wholePercent } from '../format.ts'
import { Problem } from '../parts/notes.tsx'
import type { EvidenceMap, Execution, Json, JsonObject } from '../wire.ts'
import { draftOf, keepTyped, reviewDraft } from './draft.ts'
import { decimalOf, writtenNumber } from './number-readings.ts'
import type { SaveReview } from './saving.ts'
import { misfitTold, schemaAt, typedReadings, typesOf } from './typed-value.ts'
import { Understood } from './understood.tsx'

/** A box drawn on a page. */
export interface DrawnBox {
  readonly input: string
  readonly page: number
  readonly bbox: readonly [x: number, y: number, w: number, h: number]
  /** The route of the page's words. */
  readonly words: string
}

interface EditorProps {
  readonly execution: Execution
  /** By the places of the corrected answer. */
  readonly evidence: EvidenceMap
  readonly schema: JsonObject | undefined
  readonly pointer: string
  /** The name of the place, which stays when its row moves. */
  readonly name: string
  readonly box: DrawnBox | undefined
  /** The places of the values of its row that need a look, with its own. */
  readonly inRow: readonly string[]
  readonly saveReview: SaveReview
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Lines that are visible without scrolling, and about how many characters one of them holds. */
const linesMax = 8
const lineCharacters = 50

const linesOf = (text: string): number =>
  Math.min(
    linesMax,
    text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineCharacters)), 0),
  )

/** Corrects, confirms or empties one value. Saves it at once, beside the answer. Another name needs another editor. */
export function ValueEditor(props: EditorProps) {
  const { execution, evidence, schema, pointer, name, box, inRow, saveReview, onSaved, onClose } = props
  const { id, response, reviewed_response: reviewed } = execution
  const value = valueAt((reviewed ?? response) as Json, pointer)
  const own = schemaAt(schema, pointer)
  const decimal = useMemo(() => decimalOf(execution), [execution.evidence, response])
  const shownText = typeof value === 'number' ? writtenNumber(value, decimal) : textOf(value)
  const [text, setText] = useState(() => {
    const { typed } = draftOf(reviewDraft.get(), id)
    return typed?.name === name ? typed.text : shownText
  })
  const type = (typed: string) => {
    setText(typed)
    setProblem('')
    keepTyped(id, { name, text: typed })
  }
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const isList = Array.isArray(value) || typesOf(own).includes('array')
  const candidates = evidence[pointer]?.candidates ?? []
  // Before the person can type: what they type stays.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  useEffect(() => {
    if (!box) return
    const stopped = new AbortController()
    call<GridPage>(box.words, { signal: stopped.signal })
      .then(({ words }) => {
        const found = textWithin(words, box.bbox)
        if (found) type(found)
        field.current?.focus()
      })
      // An image has no words: the person types them.
      .catch(() => undefined)
    return () => stopped.abort()
  }, [box])
  const readings = typedReadings(text, own, value, decimal)
  const firstReading = useRef<HTMLButtonElement>(null)
  /** What Enter says of the value. */
  const meant = text.trim() === '' ? 'absent' : text === shownText && value !== undefined ? 'confirmed' : 'typed'
  const classOf = (one: typeof meant) => (one === meant ? 'primary' : '')
  const enter = (one: typeof meant) => one === meant && !isList && <kbd>↵</kbd>
  const save = (change: JsonObject) => saveAll([{ path: pointer, ...change, ...placeOf(box) }])
  const isRowOffered = meant !== 'typed' && inRow.length > 1
  const confirmRow = () => saveAll(inRow.map((path) => ({ path, kind: 'confirmed' })))
  const saveAll = async (changes: readonly JsonObject[]) => {
    try {
      if (await saveReview({ changes })) onSaved()
    } catch (error) {
      setProblem(toldOf(error))
    }
  }
  const take = (typed: Json) => save(typed === value ? { kind: 'confirmed' } : { kind: 'corrected', value: typed })
  const submit = (event: Event) => {
    event.preventDefault()
    if (meant !== 'typed') return void save({ kind: meant })
    const [typed] = readings
    if (typed === undefined) return setProblem(misfitTold(text.trim(), own, value))
    if (readings.length > 1) return firstReading.current?.focus()
    return void take(typed)
  }
  return (
    <form
      class="editor"
      aria-label={`Correct ${valueLabel(pointer)}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      {isList && <p>{valueLabel(pointer)}: add the rows that it lacks, or say that it is right.</p>}
      {!isList && (
        <label class="field">
          <span>{valueLabel(pointer)}</span>
          {/* Not an input, which would join the lines of a text. */}
          <textarea
            ref={field}
            dir="auto"
            rows={linesOf(text)}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              if (event.repeat) return
              if (isRowOffered && (event.ctrlKey || event.metaKey)) void confirmRow()
              else event.currentTarget.form?.requestSubmit()
            }}
          />
        </label>
      )}
      {!isList && readings.length < 2 && <Understood text={text} schema={own} before={value} decimal={decimal} />}
      {!isList && readings.length > 1 && (
        <fieldset class="acts">
          <legend class="small">“{text.trim()}” could be two different numbers. Which one do you mean?</legend>
          {readings.map((one, index) => (
            <button
              key={String(one)}
              {...(index === 0 ? { ref: firstReading } : {})}
              type="button"
              onClick={() => void take(one)}
            >
              {exactNumber(Number(one))}
            </button>
          ))}
        </fieldset>
      )}
      {candidates.length > 0 && (
        <p class="acts">
          {candidates.map((one, index) => (
            <button
              key={index}
              type="button"
              class="small"
              onClick={() => void save({ kind: 'corrected', candidate: index })}
            >
              {textOf(one.value as Json)} <span class="soft">{wholePercent(one.confidence)}</span>
            </button>
          ))}
        </p>
      )}
      <Problem text={problem} />
      <p class="acts">
        {meant === 'typed' && (
          <button type="submit" class="primary">
            Save {enter('typed')}
          </button>
        )}
        {value !== null && value !== undefined && (
          <button type="button" class={classOf('confirmed')} onClick={() => void save({ kind: 'confirmed' })}>
            Right as it is {enter('confirmed')}
          </button>
        )}
        {isRowOffered && (
          <button
            type="button"
            title="Also the other values of the row that need a look"
            onClick={() => void confirmRow()}
          >
            Whole row right <kbd>Ctrl ↵</kbd>
          </button>
        )}
        <button type="button" class={classOf('absent')} onClick={() => void save({ kind: 'absent' })}>
          Not in the document {enter('absent')}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </p>
    </form>
  )
}

const placeOf = (box: DrawnBox | undefined): JsonObject =>
  box ? { input: box.input, page: box.page, bbox: [...box.bbox] } : {}

/** The words whose centre is in a box, in reading order. */
function textWithin(words: GridPage['words'], [x, y, w, h]: DrawnBox['bbox']): string {
  const within = words.filter(({ bbox }) => {
    const [middle, centre] = [bbox[0] + bbox[2] / 2, bbox[1] + bbox[3] / 2]
    return middle >= x && middle <= x + w && centre >= y && centre <= y + h
  })
  return within.map(({ text }) => text).join(' ')
}

/** The error, with advice for a key that may not review. */
function toldOf(error: unknown): string {
  if (error instanceof SkillrunFailure && error.status === 403)
    return 'You may not review: that needs the role reviewer, or a key with the scope review.'
  return wordsOf(error)
}

const textOf = (value: Json | undefined): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
