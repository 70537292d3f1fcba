import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useEvents, useLoaded } from '../live.ts'
import { lazy } from '../parts/lazy.tsx'
import { Legend, Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { panelId, type Tab, Tabs } from '../parts/tabs.tsx'
import type { DrawnBox } from '../reviews/editor.tsx'
import { go, useHere } from '../router.tsx'
import { visible } from '../visible.ts'
import {
  type Asked,
  type EvidenceMap,
  type Execution,
  hasEnded,
  type Json,
  type Step,
  type StoredFile,
  type Warning,
} from '../wire.ts'
import { useAnswerSchema } from './answer-schema.ts'
import { AnswerView } from './answer-view.tsx'
import { ApprovalCard, waitsForApproval } from './approval-card.tsx'
import { ArtifactsCard, useArtifacts } from './artifacts-card.tsx'
import { CallbacksCard } from './callbacks-card.tsx'
import { DocumentView, expectPage } from './document-view.tsx'
import { ExecutionHead } from './execution-head.tsx'
import { JsonCard, RequestCard } from './request-card.tsx'
import { archivesOf, readInputsOf, sourcesOf, withEntries } from './sources.ts'
import { StepsCard, UsageCard } from './steps-card.tsx'
import type { Picked } from './timed-view.tsx'

const CorrectionBar = lazy(async () => (await import('../reviews/correction-bar.tsx')).CorrectionBar, {
  fallback: null,
})

const ProofCard = lazy(async () => (await import('./proof-card.tsx')).ProofCard)

const pollMs = 1_000
const wakeMs = 80
const nothingFound: EvidenceMap = {}

/** One execution: its answer beside the document, its steps, its cost. */
export function ExecutionScreen({ id }: { id: string }) {
  const at = `/v1/agent/executions/${encodeURIComponent(id)}`
  const [isFollowed, setIsFollowed] = useState(false)
  // Events trigger reloads; without an event stream, a timer does.
  const everyMs = (data: Execution | undefined) => (isFollowed || (data && hasEnded(data.status)) ? 0 : pollMs)
  const record = useLoaded<Execution>(at, { everyMs })
  const execution = record.data
  const isOpen = execution !== undefined && !hasEnded(execution.status)
  const steps = useLoaded<Step[]>(execution ? `${at}/steps` : null)
  const asked = useLoaded<Asked>(`${at}/request`)
  const sources = useMemo(() => sourcesOf(asked.data?.inputs ?? {}), [asked.data])
  const fileIds = sources.flatMap((source) => (source.kind === 'file' ? [source.fileId] : []))
  const [firstId] = fileIds
  const file = useLoaded<StoredFile>(firstId === undefined ? null : `/v1/files/${encodeURIComponent(firstId)}`)
  // Shown together: what comes later would move what is there.
  const isLoaded =
    Boolean(steps.data || steps.problem) &&
    Boolean(asked.problem || (asked.data && (firstId === undefined || file.data || file.problem)))
  const isKnown = execution !== undefined && file.data !== undefined
  useEffect(() => {
    if (execution && file.data) expectPage(file.data, sources, execution.evidence ?? nothingFound)
  }, [isKnown])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEvents(isOpen ? `${at}/events` : null, {
    wake: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => record.again(), wakeMs)
    },
    onOpen: (open) => {
      setIsFollowed(open)
      if (!open) record.again()
    },
  })
  // The first steps are requested because there is a record; later records may have more.
  const hadRecord = useRef(false)
  useEffect(() => {
    if (hadRecord.current) steps.again()
    hadRecord.current = execution !== undefined
  }, [execution])
  const title = file.data && visible(file.data.filename) + (fileIds.length > 1 ? ` + ${fileIds.length - 1}` : '')
  useEffect(() => {
    if (title) document.title = `${title} · Skillrun`
  }, [title])
  if (!execution || !isLoaded) {
    if (record.status === 404) return <Nothing>This workspace has no execution with this id.</Nothing>
    return record.problem ? <Problem text={record.problem} /> : <Loading />
  }
  return (
    <div class="workbench">
      <ExecutionHead
        execution={execution}
        title={title}
        asked={asked.data}
        onChange={record.again}
        problem={record.problem}
      />
      <Body
        execution={execution}
        steps={steps.data ?? []}
        asked={asked.data}
        file={file.data}
        onChange={record.again}
      />
    </div>
  )
}

/** The skeleton of the screen while it loads. */
function Loading() {
  return (
    <div class="workbench">
      <div class="head">
        <Skeletons rows={2} />
      </div>
      <div class="beside">
        <section class="answer-side" aria-label="Answer">
          <div class="panel">
            <Skeletons rows={12} />
          </div>
        </section>
        <section class="document" aria-label="Document">
          <div class="document-scroll">
            <div class="page loading" />
          </div>
        </section>
      </div>
    </div>
  )
}

interface BodyProps {
  readonly execution: Execution
  readonly steps: readonly Step[]
  readonly asked: Asked | undefined
  /** The first file among the inputs. */
  readonly file: StoredFile | undefined
  readonly onChange: () => void
}

type View = 'answer' | 'steps' | 'request' | 'files' | 'callbacks' | 'cost' | 'proof' | 'json'

/** The document beside the answer, or beside the steps. */
function Body({ execution, steps, asked, file, onChange }: BodyProps) {
  const here = useHere()
  const [hovered, setHovered] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked>()
  const active = hovered ?? picked?.pointer ?? null
  const pick = (pointer: string, where: Picked['where']) =>
    setPicked((before) => ({ pointer, where, round: (before?.round ?? 0) + 1 }))
  const answerPlace = useRef<HTMLDivElement>(null)
  const evidence = execution.evidence ?? nothingFound
  const isCorrecting = here.searchParams.get('correct') === '1' && execution.review !== null
  const claim = Number(here.searchParams.get('claim')) || undefined
  const schema = useAnswerSchema(isCorrecting ? execution : null, asked?.config?.['json_schema'])
  const [drawn, setDrawn] = useState<DrawnBox>()
  useEffect(() => setDrawn(undefined), [picked?.pointer])
  // `?field=` selects a value of the answer, and its place in the document.
  const field = here.searchParams.get('field')
  const isAnswered = execution.response !== null
  useEffect(() => {
    if (field === null || !isAnswered) return
    // For a list, the first value with a place.
    const pointer = Object.keys(evidence).find((one) => one === field || one.startsWith(`${field}/`)) ?? field
    pick(pointer, 'answer')
    rowOf(answerPlace.current, pointer)?.scrollIntoView({ block: 'nearest' })
  }, [field, isAnswered])
  const archives = useMemo(() => archivesOf(steps), [steps])
  const sources = useMemo(() => withEntries(sourcesOf(asked?.inputs ?? {}), archives), [asked, archives])
  const readings = useMemo(() => readInputsOf(steps), [steps])
  const artifacts = useArtifacts(execution.id, execution.status)
  const tabs: readonly Tab<View>[] = [
    { name: 'answer', title: 'Answer' },
    { name: 'steps', title: 'Steps' },
    { name: 'request', title: 'Request' },
    ...(artifacts.length > 0 ? [{ name: 'files', title: `Files created (${artifacts.length})` } as const] : []),
    ...(asked?.callback_url ? [{ name: 'callbacks', title: 'Callbacks' } as const] : []),
    { name: 'cost', title: 'Cost' },
    ...(hasEnded(execution.status) ? [{ name: 'proof', title: 'Proof' } as const] : []),
    { name: 'json', title: 'JSON' },
  ]
  const view = tabs.find(({ name }) => name === here.searchParams.get('view'))?.name ?? 'answer'
  const choose = (name: View) => {
    const to = new URL(location.href)
    if (name === 'answer') to.searchParams.delete('view')
    else to.searchParams.set('view', name)
    go(to.pathname + to.search, { replace: true })
  }
  const lookFromPage = (pointer: string | null) => {
    setHovered(pointer)
    if (pointer === null) return
    const row = rowOf(answerPlace.current, pointer)
    // Scroll only the answer's container: the page under the pointer must not move.
    if (row) scrollWithin(answerPlace.current, row)
  }
  const showInAnswer = (pointer: string) => {
    pick(pointer, 'source')
    rowOf(answerPlace.current, pointer)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is one more way to let go; looking elsewhere is the other.
    <div
      class={isCorrecting ? 'beside correcting' : 'beside'}
      onKeyDown={(event) => event.key === 'Escape' && setPicked(undefined)}
    >
      <section aria-label="Answer" class="answer-side">
        <Tabs tabs={tabs} chosen={view} onChoose={choose} label="Parts of the execution" />
        <div
          class="panel"
          role="tabpanel"
          id={panelId(view)}
          aria-labelledby={`tab-${view}`}
          tabIndex={-1}
          ref={answerPlace}
        >
          {view === 'answer' && (
            <ApprovalCard key={execution.approval?.number} execution={execution} onChange={onChange} />
          )}
          {view === 'answer' && (
            <Answer
              execution={execution}
              steps={steps}
              active={active}
              picked={picked?.pointer ?? null}
              look={setHovered}
              pick={(pointer) => pick(pointer, 'answer')}
              isCorrecting={isCorrecting}
            />
          )}
          {view === 'steps' && <StepsCard execution={execution} steps={steps} />}
          {view === 'request' && asked && <RequestCard asked={asked} />}
          {view === 'files' && <ArtifactsCard executionId={execution.id} artifacts={artifacts} />}
          {view === 'callbacks' && (
            <CallbacksCard of={`/v1/agent/executions/${execution.id}`} version={execution.status} />
          )}
          {view === 'cost' && <UsageCard execution={execution} />}
          {view === 'proof' && <ProofCard execution={execution} />}
          {view === 'json' && <JsonCard execution={execution} />}
        </div>
        {isCorrecting && view === 'answer' && (
          <CorrectionBar
            execution={execution}
            schema={schema}
            pointer={picked?.pointer}
            box={drawn}
            claim={claim}
            onChange={onChange}
            onClose={() => setPicked(undefined)}
          />
        )}
      </section>
      <DocumentView
        {...(isCorrecting && picked ? { drawn, onDraw: setDrawn } : {})}
        executionId={execution.id}
        file={file}
        sources={sources}
        readings={readings}
        archives={archives}
        evidence={evidence}
        active={active}
        hovered={hovered}
        look={lookFromPage}
        pick={showInAnswer}
        picked={picked}
      />
    </div>
  )
}

interface AnswerProps {
  readonly execution: Execution
  readonly steps: readonly Step[]
  readonly active: string | null
  readonly picked: string | null
  readonly look: (pointer: string | null) => void
  readonly pick: (pointer: string) => void
  readonly isCorrecting: boolean
}

const noDoubts: readonly string[] = []

/** The answer; one key jumps to the next value to check. */
function Answer({ execution, steps, active, picked, look, pick, isCorrecting }: AnswerProps) {
  const { status, error, usage, completeness, review } = execution
  // The corrected answer, if any.
  const response = (execution.reviewed_response ?? execution.response) as Json
  const evidence = execution.evidence ?? nothingFound
  const reviewed = useMemo(() => new Map(review?.changes.map((change) => [change.path, change])), [review])
  const doubts = execution.needs_look ?? noDoubts
  const doubted = useMemo(() => new Set(doubts), [doubts])
  const [isFiltered, setIsFiltered] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const next = () => {
    const at = doubts.findIndex((one) => one === picked || picked?.startsWith(`${one}/`))
    const doubt = doubts[(at + 1) % doubts.length]
    if (doubt === undefined) return
    // Of a row or list, its first value.
    const row = rowOf(place.current, doubt) ?? rowOf(place.current, doubt, { isWithin: true })
    pick(row?.dataset['pointer'] ?? doubt)
    row?.scrollIntoView({ block: 'nearest' })
  }
  useKey('n', next)
  return (
    <div ref={place} class="stack">
      {error && (
        <div class="problem" role="alert">
          <p>{error.message}</p>
          <p class="small">
            <code>{error.code}</code>
            {error.retryable && ' · running it again may succeed'}
          </p>
        </div>
      )}
      {/* The count of fields says the same in fewer words. */}
      {!error && !completeness && usage.message && <p class="hint">{usage.message}</p>}
      <Warnings warnings={execution.warnings} isMessageShown={!error && !completeness} />
      {!hasEnded(status) && !waitsForApproval(execution) && <Waiting execution={execution} steps={steps} />}
      {response !== null && (
        <div class="answer-bar small">
          {completeness && (
            <span class="soft" title={completeness.calibration ?? undefined}>
              {completeness.found} of {completeness.asked} fields found
              {completeness.max_wrong_rate !== null && `, held to ${completeness.max_wrong_rate * 100} % wrong`}
              {completeness.low_confidence > 0 && `, ${completeness.low_confidence} less sure`}
            </span>
          )}
          {review?.by && (
            <span class="soft">
              {review.status === 'done' ? 'reviewed' : 'corrected'} by {review.by.name}
            </span>
          )}
          <span class="acts">
            {doubts.length > 0 && (
              <>
                <button
                  type="button"
                  class="small"
                  aria-pressed={isFiltered}
                  onClick={() => setIsFiltered(!isFiltered)}
                >
                  Needs a look ({doubts.length})
                </button>
                <button type="button" class="small" onClick={next} title="Next value that needs a look (key N)">
                  Next <kbd>N</kbd>
                </button>
              </>
            )}
            {Object.keys(evidence).length > 0 && <Legend />}
          </span>
        </div>
      )}
      {response !== null && (
        <AnswerView
          answer={response}
          evidence={evidence}
          doubts={doubted}
          only={isFiltered && doubts.length > 0 ? doubts : undefined}
          active={active}
          look={look}
          pick={pick}
          reviewed={reviewed}
          isEditable={isCorrecting}
        />
      )}
      {status === 'completed' && response === null && <p class="soft">The answer is null.</p>}
    </div>
  )
}

/** Calls `run` when the key is pressed outside input fields. */
function useKey(key: string, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog')
      if (event.key !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [key])
}

/** The row of a value, or the first row within it. */
const rowOf = (answer: HTMLElement | null, pointer: string, { isWithin = false } = {}): HTMLElement | undefined =>
  [...(answer?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])].find(({ dataset: { pointer: one } }) =>
    isWithin ? one?.startsWith(`${pointer}/`) : one === pointer,
  )

/** Warnings not covered by the message above the answer: missing fields show their reason in the answer. */
function Warnings({ warnings, isMessageShown }: { warnings: readonly Warning[]; isMessageShown: boolean }) {
  const shown = warnings.filter(({ code }) => code !== 'not_found' && !(isMessageShown && code === 'ignored_field'))
  if (shown.length === 0) return null
  return (
    <ul class="hint" aria-label="Warnings">
      {shown.map(({ code, path, message }) => (
        <li key={code + path}>
          {path && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  )
}

function scrollWithin(box: HTMLElement | null, row: HTMLElement): void {
  if (!box || box.scrollHeight <= box.clientHeight) return
  const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top
  if (top < 0 || top > box.clientHeight - row.offsetHeight) box.scrollTop += top - box.clientHeight / 2
}

function Waiting({ execution, steps }: { execution: Execution; steps: readonly Step[] }) {
  const words: Partial<Record<Execution['status'], string>> = {
    pending: 'Waiting for its inputs.',
    enqueued: 'Waiting to start.',
    running: `Running…${steps.length > 0 ? ` ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} done.` : ''}`,
    paused: 'Paused. Work done so far is kept.',
  }
  return (
    <p class={`waiting ${execution.status}`} role="status">
      <i aria-hidden="true" /> {words[execution.status] ?? ''}
    </p>
  )
}
