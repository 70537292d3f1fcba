import { newId } from '@skillrun/client/http.ts'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import { count, dollars } from '../format.ts'
import { label } from '../label.ts'
import { Problem, Skeletons } from '../parts/notes.tsx'
import { go } from '../router.tsx'
import { FieldRows } from '../run/schema-editor.tsx'
import { newField, problemOf, schemaOf } from '../run/schema-form.ts'
import type { BackfillEstimate, JsonObject } from '../wire.ts'
import type { EarlierExecutions } from './earlier.ts'
import { type Askable, loadEarlier } from './load-earlier.ts'
import type { Batch } from './wire.ts'

/** Delay before edited fields are estimated. */
const estimateDelayMs = 400

interface NewFieldsDialogProps {
  readonly earlier: EarlierExecutions
  readonly onClose: () => void
}

/** Adds fields to the schema of earlier executions, shows what asking them would cost, and starts that as a batch. */
export function NewFieldsDialog({ earlier, onClose }: NewFieldsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [found, setFound] = useState<Askable>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    dialog.current?.showModal()
    const stopped = new AbortController()
    loadEarlier(earlier, stopped.signal)
      .then(setFound)
      .catch((error) => stopped.signal.aborted || setProblem(wordsOf(error)))
    return () => stopped.abort()
  }, [])
  return (
    <dialog ref={dialog} class="new-fields" aria-labelledby="new-fields-title" onClose={onClose}>
      <h2 id="new-fields-title">Ask new fields</h2>
      <div role="alert">
        <Problem text={problem} />
      </div>
      {found ? (
        <NewFields found={found} name={'batch' in earlier ? earlier.batch.name : null} onClose={onClose} />
      ) : (
        <>
          {problem === '' && <Skeletons rows={4} />}
          <p class="acts">
            <button type="button" onClick={onClose}>
              Close
            </button>
          </p>
        </>
      )}
    </dialog>
  )
}

function NewFields({ found, name, onClose }: { found: Askable; name: string | null; onClose: () => void }) {
  const [fields, setFields] = useState(() => [newField()] as Parameters<typeof schemaOf>[0])
  const [estimate, setEstimate] = useState<BackfillEstimate>()
  const [problem, setProblem] = useState('')
  const [isStarting, setIsStarting] = useState(false)
  const taken = fields.find((field) => field.name in found.schema.properties)
  const unready = taken ? `The executions were asked for ${taken.name} already.` : problemOf(fields)
  const isReady = unready === '' && fields.length > 0
  const body = {
    base_executions: found.ids,
    config: { json_schema: withFields(found.schema, schemaOf(fields, {})) },
  }
  const asked = isReady ? JSON.stringify(body) : ''
  // A start that is repeated after a lost reply returns the batch that it had begun.
  const startKey = useMemo(newId, [asked])
  useEffect(() => {
    setEstimate(undefined)
    setProblem('')
    if (asked === '') return
    const stopped = new AbortController()
    const timer = setTimeout(() => {
      call<BackfillEstimate>('/v1/agent/batches/estimate', { method: 'POST', body, signal: stopped.signal })
        .then(setEstimate)
        .catch((error) => stopped.signal.aborted || setProblem(wordsOf(error)))
    }, estimateDelayMs)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [asked])
  const start = async () => {
    setIsStarting(true)
    try {
      const named = `New fields: ${fields.map((field) => field.name).join(', ')}${name === null ? '' : ` (${name})`}`
      const batch = await call<Batch>('/v1/agent/batches', {
        method: 'POST',
        body: { ...body, name: named.slice(0, 255) },
        headers: { 'Idempotency-Key': startKey },
        repeatable: true,
      })
      go(`/batches/${batch.id}`)
      onClose()
    } catch (error) {
      setProblem(wordsOf(error))
      setIsStarting(false)
    }
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isStarting) void start()
      }}
    >
      <p>
        {count(found.ids.length, 'execution')} will be asked in a new batch; their records stay as they are. Fields that
        they have already: <span class="soft name">{Object.keys(found.schema.properties).map(label).join(', ')}</span>.
      </p>
      {found.leftOut.length > 0 && <p class="hint">Left out: {found.leftOut.join(', ')}.</p>}
      <FieldRows fields={fields} onChange={setFields} />
      <div role="alert">
        <Problem text={problem} />
      </div>
      <p class="soft small" role="status">
        {estimate ? <EstimateWords of={estimate} /> : unready || (problem === '' && 'The cost is being estimated…')}
      </p>
      <p class="acts">
        <button type="submit" class="primary" disabled={!isReady || !estimate || isStarting}>
          Ask {count(found.ids.length, 'execution')}
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </form>
  )
}

function EstimateWords({ of }: { of: BackfillEstimate }) {
  const { asked, unpriced, unusable, low_dollars, high_dollars, service_tier } = of
  return (
    <>
      Estimated cost{' '}
      <strong>
        {dollars(low_dollars)}
        {high_dollars > low_dollars && ` to ${dollars(high_dollars)}`}
      </strong>{' '}
      in the {service_tier} tier.{' '}
      {asked > 0
        ? `A model is asked in ${count(asked, 'execution')}.`
        : 'The embedded engine reads the documents again; no model is asked.'}
      {unpriced > 0 &&
        ` The cost of ${count(unpriced, 'execution')} is not known and not in the estimate: a program or an earlier answer had served them.`}
      {unusable > 0 && ` ${count(unusable, 'execution')} can no longer be asked and will fail.`}
    </>
  )
}

/** The earlier schema with more fields: those that it has stay as they are, so that their answers can be kept. */
function withFields(schema: Askable['schema'], more: JsonObject): JsonObject {
  const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [])
  return {
    ...schema,
    properties: { ...schema.properties, ...(more['properties'] as JsonObject) },
    required: [...listOf(schema['required']), ...listOf(more['required'])],
  }
}
