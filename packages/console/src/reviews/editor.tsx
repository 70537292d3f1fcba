import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { valueAt } from '@skillrun/core/json.ts'
import { writtenNumber } from '@skillrun/core/written-numbers.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import type { GridPage } from '../executions/grid-text.ts'
import { valueLabel, wholePercent } from '../format.ts'
import { useKeys } from '../parts/keys.ts'
import { Problem } from '../parts/notes.tsx'
import type { EvidenceMap, Execution, Json, JsonObject } from '../wire.ts'
import { draftOf, keepTyped, reviewDraft } from './draft.ts'
import type { SaveReview } from './saving.ts'
import { expectsDay, habitsOf, misfitTold, schemaAt, typedReadings, typesOf } from './typed-value.ts'
import { readingText, Understood } from './understood.tsx'

/** A box drawn on a page. */
export interface DrawnBox {
  readonly input: string
  readonly page: number
  readonly bbox: readonly [x: number, y: number, w: number, h: number]
  /** The route of the page's words. */
  readonly words: string
}

/** The value that a person is at. */
export interface HeldValue {
  /** The name of its place, which stays when its row moves. */
  readonly name: string
  /** Whether keys only went to it: letters are keys of the review, until the person asks to type. */
  readonly isShown: boolean
  /** Increases each time that the person goes to a value. */
  readonly round: number
}

/** A value before and after it was saved. */
export interface SavedValue {
  readonly from: Json
  readonly to: Json
}

interface EditorProps {
  readonly execution: Execution
  /** By the places of the corrected answer. */
  readonly evidence: EvidenceMap
  readonly schema: JsonObject | undefined
  readonly pointer: string
  readonly held: HeldValue
  readonly box: DrawnBox | undefined
  /** The places of the values of its row that need a look, with its own. */
  readonly inRow: readonly string[]
  readonly saveReview: SaveReview
  /** `saved`: the value is another than before. */
  readonly onSaved: (saved?: SavedValue) => void
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

/** What makes a value again what it was in the response (`original`) or after an earlier review. */
export function takingBack(path: string, to: Json, original: Json): readonly JsonObject[] {
  if (to === null) return [{ path, kind: 'absent' }]
  const isOriginal = JSON.stringify(to) === JSON.stringify(original)
  // Said last, it holds: nobody corrects a value to itself.
  return [{ path, kind: 'corrected', value: to }, ...(isOriginal ? [{ path, kind: 'confirmed' }] : [])]
}

/** Corrects, confirms or empties one value. Saves it at once, beside the answer. Another name needs another editor. */
export function ValueEditor(props: EditorProps) {
  const { execution, evidence, schema, pointer, held, box, inRow, saveReview, onSaved, onClose } = props
  const { name, isShown, round } = held
  const { id, response, reviewed_response: reviewed } = execution
  const value = valueAt((reviewed ?? response) as Json, pointer)
  const own = schemaAt(schema, pointer)
  const habits = useMemo(() => habitsOf(execution), [execution.evidence, response])
  const shownText = typeof value === 'number' ? writtenNumber(value, habits.decimal) : textOf(value)
  const [typed, setTyped] = useState(() => {
    const { typed } = draftOf(reviewDraft.get(), id)
    return typed?.name === name ? typed.text : undefined
  })
  // Nobody has typed: it follows what is saved meanwhile.
  const text = typed ?? shownText
  const type = (now: string | undefined) => {
    setTyped(now)
    setProblem('')
    keepTyped(id, now === undefined ? undefined : { name, text: now })
  }
  const [problem, setProblem] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const isList = Array.isArray(value) || typesOf(own).includes('array')
  const candidates = evidence[pointer]?.candidates ?? []
  // Before the person can type: what they type stays.
  const startTyping = () => {
    field.current?.focus()
    field.current?.select()
  }
  useLayoutEffect(() => {
    if (isShown && text === shownText) form.current?.querySelector<HTMLElement>('.primary')?.focus()
    else startTyping()
  }, [round])
  useKeys((event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    if (target instanceof HTMLElement && target.closest('input, textarea, select, dialog, .document')) return
    // No digit is a key of the review: it is typed into the field, which has the focus by then.
    if (key !== 'F2' && !/^\d$/.test(key)) return
    if (key === 'F2') event.preventDefault()
    startTyping()
  })
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
  const readings = typedReadings(text, own, value, habits)
  const firstReading = useRef<HTMLButtonElement>(null)
  /** What Enter says of the value. */
  const isEmpty = text.trim() === ''
  const isWithheld = isEmpty && !isList && candidates.length > 0 && (value === null || value === undefined)
  // Of a value that was left out, nobody says in passing that the document has none.
  const ofEmpty = isWithheld ? 'chosen' : 'absent'
  const meant = isEmpty ? ofEmpty : text === shownText && value !== undefined ? 'confirmed' : 'typed'
  const classOf = (one: typeof meant) => (one === meant ? 'primary' : '')
  const enter = (one: typeof meant) => one === meant && !isList && <kbd>↵</kbd>
  const save = (change: JsonObject, to?: Json) => saveAll([{ path: pointer, ...change, ...placeOf(box) }], to)
  const sayAbsent = () => save({ kind: 'absent' }, null)
  const isRowOffered = meant !== 'typed' && meant !== 'chosen' && inRow.length > 1
  const confirmRow = () => saveAll(inRow.map((path) => ({ path, kind: 'confirmed' })))
  const saveAll = async (changes: readonly JsonObject[], to?: Json) => {
    const from = value ?? null
    try {
      if (await saveReview({ changes })) onSaved(to === undefined || to === from ? undefined : { from, to })
    } catch (error) {
      setProblem(toldOf(error))
    }
  }
  const take = (typed: Json) =>
    typed === value ? save({ kind: 'confirmed' }) : save({ kind: 'corrected', value: typed }, typed)
  const change = execution.review?.changes.find((one) => one.path === name && one.kind !== 'confirmed' && !one.rows)
  const original = (change?.from ?? null) as Json
  const submit = (event: Event) => {
    event.preventDefault()
    if (meant === 'chosen') return form.current?.querySelector<HTMLElement>('.primary')?.focus()
    if (meant !== 'typed') return void (meant === 'absent' ? sayAbsent() : save({ kind: meant }))
    const [typed] = readings
    if (typed === undefined) return setProblem(misfitTold(text.trim(), own, value))
    if (readings.length > 1) return firstReading.current?.focus()
    return void take(typed)
  }
  return (
    <form
      ref={form}
      class="editor"
      aria-label={`Correct ${valueLabel(pointer)}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isRowOffered && !event.isComposing) {
          event.preventDefault()
          if (!event.repeat) void confirmRow()
        }
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
              if (isRowOffered && (event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              if (!event.repeat) event.currentTarget.form?.requestSubmit()
            }}
          />
        </label>
      )}
      {!isList && readings.length < 2 && <Understood text={text} schema={own} before={value} habits={habits} />}
      {!isList && readings.length > 1 && (
        <fieldset class="acts">
          <legend class="small">
            “{text.trim()}” could be two different {expectsDay(own) ? 'days' : 'numbers'}. Which one do you mean?
          </legend>
          {readings.map((one, index) => (
            <button
              key={String(one)}
              {...(index === 0 ? { ref: firstReading } : {})}
              type="button"
              onClick={() => void take(one)}
            >
              {readingText(one)}
            </button>
          ))}
        </fieldset>
      )}
      {text !== shownText && !isList && (
        <Before
          name="Before"
          value={value}
          onTakeBack={() => {
            type(undefined)
            field.current?.focus()
          }}
        />
      )}
      {change && JSON.stringify(original) !== JSON.stringify(value ?? null) && (
        <Before
          name="The answer was"
          value={original}
          onTakeBack={() => void saveAll(takingBack(pointer, original, original), original)}
        />
      )}
      {candidates.length > 0 && (
        <p class="acts">
          {candidates.map((one, index) => (
            <button
              key={index}
              type="button"
              class={index === 0 ? `small ${classOf('chosen')}` : 'small'}
              onClick={() => void save({ kind: 'corrected', candidate: index }, one.value as Json)}
            >
              {textOf(one.value as Json)} <span class="soft">{wholePercent(one.confidence)}</span>{' '}
              {index === 0 && enter('chosen')}
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
        <button type="button" class={classOf('absent')} onClick={() => void sayAbsent()}>
          Not in the document {enter('absent')}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Close <kbd>Esc</kbd>
        </button>
        {!isList && (
          <span class="small soft key-hint">
            <kbd>F2</kbd> or a digit changes it, <kbd>N</kbd> goes on
          </span>
        )}
      </p>
    </form>
  )
}

interface BeforeProps {
  readonly name: string
  readonly value: Json | undefined
  readonly onTakeBack: () => void
}

/** What a value was, and the button that makes it so again. */
function Before({ name, value, onTakeBack }: BeforeProps) {
  return (
    <p class="small acts">
      <span>
        {name}: <bdi class="name">{textOf(value) || 'empty'}</bdi>
      </span>
      <button type="button" class="small" onClick={onTakeBack}>
        Take back
      </button>
    </p>
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
  return wordsOf(error).replace(
    /^changes\.\d+\.value: (\/\S*) /,
    (_, pointer: string) => `${valueLabel(pointer)}: the value `,
  )
}

const textOf = (value: Json | undefined): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
