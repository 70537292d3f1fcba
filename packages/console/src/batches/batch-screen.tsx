import { useEffect } from 'preact/hooks'
import { call, callRaw } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { CallbacksCard } from '../executions/callbacks-card.tsx'
import { dollars, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton, Menu } from '../parts/buttons.tsx'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { saveBlob } from '../parts/save.ts'
import { useMay } from '../rights.ts'
import { go, Link, useHere } from '../router.tsx'
import { visible } from '../visible.ts'
import { AskNewFields } from './new-fields.tsx'
import { ResultsTable } from './results-table.tsx'
import { type Batch, batchPath, endedOf, isUnderWay, marks } from './wire.ts'

const pollMs = 1_500

const filters = [
  { value: '', title: 'All' },
  { value: 'look', title: 'Needs a look' },
  { value: 'not_found', title: 'Not found' },
  { value: 'failed', title: 'Failed' },
]

const formats = [
  { format: 'xlsx', title: 'Excel workbook' },
  { format: 'csv', title: 'CSV' },
  { format: 'jsonl', title: 'JSON Lines' },
]

/** The query of a filter, to append to. */
const queryOf = (filter: string): string => filter && `&filter=${filter === 'look' ? 'low_confidence' : filter}`

/** One batch: its progress, and a table with a row per document. */
export function BatchScreen({ id }: { id: string }) {
  const here = useHere()
  const {
    data: batch,
    problem,
    status,
    again,
  } = useLoaded<Batch>(batchPath(id), {
    everyMs: (now) => (now && isUnderWay(now) ? pollMs : 0),
  })
  const { failure, attempt } = useAttempt()
  const may = useMay()
  const mayExecute = may('execute')
  useEffect(() => {
    if (batch?.name) document.title = `${batch.name} · Skillrun`
  }, [batch?.name])
  if (!batch)
    return status === 404 ? (
      <Nothing>This workspace has no batch with this id.</Nothing>
    ) : problem ? (
      <Problem text={problem} />
    ) : (
      <Skeletons />
    )
  const move = async (verb: string) => {
    await attempt(() => call(batchPath(id, `/${verb}`), { method: 'POST' }))
    again()
  }
  const download = async (format: string) => {
    await attempt(async () => {
      const results = await callRaw(batchPath(id, `/results?format=${format}${queryOf(filter)}`))
      saveBlob(`${batch.name ?? id}.${format}`, await results.blob())
    })
  }
  const filter = filters.find(({ value }) => value === here.searchParams.get('filter'))?.value ?? ''
  const { counts } = batch
  const ended = endedOf(batch)
  return (
    <>
      <header class="head">
        <div class="head-line">
          <Link to="/batches" class="crumb" aria-label="All batches">
            ←
          </Link>
          <h1 class="name">{visible(batch.name ?? 'Batch')}</h1>
          <span class={`status ${marks[batch.status]}`} role="status">
            <i aria-hidden="true" />
            {batch.status}
          </span>
          <span class="acts">
            {ended > 0 && (
              <Menu name="Export">
                {formats.map(({ format, title }) => (
                  <button key={format} type="button" onClick={() => void download(format)}>
                    {title}
                  </button>
                ))}
              </Menu>
            )}
            {counts.completed > 0 && may('skills:write') && (
              <Link to={`/skills/new?batch=${encodeURIComponent(id)}`} class="button">
                Create skill
              </Link>
            )}
            {counts.completed > 0 && <AskNewFields earlier={{ batch }} of={id} />}
            {mayExecute && counts.failed > 0 && (
              <button type="button" onClick={() => void move('retry')}>
                Retry {counts.failed} failed
              </button>
            )}
            {mayExecute && batch.status === 'running' && (
              <button type="button" onClick={() => void move('pause')}>
                Pause
              </button>
            )}
            {mayExecute && batch.status === 'paused' && (
              <button type="button" class="primary" onClick={() => void move('resume')}>
                Resume
              </button>
            )}
            {mayExecute && (batch.status === 'running' || batch.status === 'paused') && (
              <ConfirmButton name="Cancel" ask="Cancel permanently?" onDone={() => move('cancel')} />
            )}
          </span>
        </div>
        <p class="small soft facts-line">
          <time dateTime={batch.created_at}>{longTime(batch.created_at)}</time>
          <span>{dollars(batch.cost_dollars)}</span>
          <code class="name">{batch.id}</code>
        </p>
        {batch.status !== 'completed' && (
          <p class="batch-progress">
            <progress max={batch.total} value={ended} aria-label="Documents that have ended" />
            <span class="small soft">
              {ended} of {batch.total}
            </span>
          </p>
        )}
        <Problem text={failure || problem} />
        {batch.warnings.map(({ code, message }) => (
          <p key={code} class="hint">
            {message}
          </p>
        ))}
      </header>
      <nav class="tabs" aria-label="Documents that are shown">
        {filters.map(({ value, title }) => (
          <button
            key={value}
            type="button"
            aria-current={value === filter ? 'page' : undefined}
            onClick={() => go(`/batches/${id}${value && `?filter=${value}`}`, { replace: true })}
          >
            {title}
            {value === '' && ` (${batch.total})`}
            {value === 'failed' && counts.failed > 0 && ` (${counts.failed})`}
          </button>
        ))}
      </nav>
      <ResultsTable key={filter} batch={batch} query={queryOf(filter)} />
      {batch.callback_url && (
        <details class="card">
          <summary>Callbacks</summary>
          <CallbacksCard of={batchPath(id)} version={batch.status} />
        </details>
      )}
    </>
  )
}
