import { atCorrectedPlaces } from '@skillrun/core/list-rows.ts'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useEvents, useLoaded } from '../live.ts'
import { lazy } from '../parts/lazy.tsx'
import { Nothing, Problem, Skeletons } from '../parts/notes.tsx'
import { panelId, type Tab, Tabs } from '../parts/tabs.tsx'
import { draftOf, reviewDraft } from '../reviews/draft.ts'
import type { DrawnBox, HeldValue } from '../reviews/editor.tsx'
import { useAnswerRows } from '../reviews/row-editing.ts'
import { rowPlaces } from '../reviews/row-places.ts'
import { go, useHere } from '../router.tsx'
import { useSignal } from '../state.ts'
import { visible } from '../visible.ts'
import { type Asked, type Execution, hasEnded, type Step, type StoredFile } from '../wire.ts'
import { AnswerPanel, noEvidence, rowOf } from './answer-panel.tsx'
import { useAnswerSchema } from './answer-schema.ts'
import { ApprovalCard } from './approval-card.tsx'
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
    if (execution && file.data) expectPage(file.data, sources, execution.evidence ?? noEvidence)
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
  const places = useMemo(
    () => rowPlaces(execution),
    [execution.response, execution.reviewed_response, execution.review?.changes],
  )
  // By its name, since its row may move.
  const [held, setHeld] = useState<Omit<Picked, 'pointer'> & HeldValue>()
  const picked = useMemo((): Picked | undefined => {
    const pointer = held && places.placeOf(held.name)
    return held && pointer !== undefined ? { ...held, pointer } : undefined
  }, [held, places])
  const active = hovered ?? picked?.pointer ?? null
  const hold = (name: string, where: Picked['where'], how?: 'shown') =>
    setHeld((before) => ({ name, where, isShown: how === 'shown', round: (before?.round ?? 0) + 1 }))
  const pick = (pointer: string, where: Picked['where']) => hold(places.nameOf(pointer), where)
  const answerPlace = useRef<HTMLDivElement>(null)
  const changes = execution.review?.changes
  const evidence = useMemo(
    () => atCorrectedPlaces(execution.evidence ?? noEvidence, changes ?? []),
    [execution.evidence, changes],
  )
  const isCorrecting = here.searchParams.get('correct') === '1' && execution.review !== null
  const schema = useAnswerSchema(isCorrecting ? execution : null, asked?.config?.['json_schema'])
  const [drawn, setDrawn] = useState<DrawnBox>()
  const saveRows = useRef<(() => void) | undefined>(undefined)
  const goOn = useRef<(() => void) | undefined>(undefined)
  const goNext = useRef<(() => void) | undefined>(undefined)
  const [isBlocked, setIsBlocked] = useState(false)
  const isEditing = isCorrecting && !isBlocked
  const rows = useAnswerRows(execution, {
    places,
    schema,
    isCorrecting: isEditing,
    onSubmit: () => saveRows.current?.(),
  })
  useEffect(() => setDrawn(undefined), [held?.name])
  // The correction that the person was typing when their session ended.
  const typed = draftOf(useSignal(reviewDraft), execution.id).typed?.name
  useEffect(() => {
    if (isCorrecting && typed !== undefined && !held) hold(typed, 'answer')
  }, [isCorrecting, typed])
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
      class={isEditing ? 'beside correcting' : 'beside'}
      onKeyDown={(event) => event.key === 'Escape' && setHeld(undefined)}
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
            <AnswerPanel
              execution={execution}
              steps={steps}
              active={active}
              picked={picked?.pointer ?? null}
              look={setHovered}
              pick={(pointer, how) => hold(places.nameOf(pointer), 'answer', how)}
              evidence={evidence}
              rows={rows}
              goOn={goOn}
              goNext={goNext}
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
            evidence={evidence}
            saveRows={saveRows}
            goOn={goOn}
            schema={schema}
            places={places}
            held={held}
            onBlocked={setIsBlocked}
            onNext={() => goNext.current?.()}
            onShow={(name) => hold(name, 'answer', 'shown')}
            box={drawn}
            isQueued={here.searchParams.has('claim')}
            onChange={onChange}
            onClose={() => setHeld(undefined)}
          />
        )}
      </section>
      <DocumentView
        {...(isEditing && picked ? { drawn, onDraw: setDrawn } : {})}
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

function scrollWithin(box: HTMLElement | null, row: HTMLElement): void {
  if (!box || box.scrollHeight <= box.clientHeight) return
  const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top
  if (top < 0 || top > box.clientHeight - row.offsetHeight) box.scrollTop += top - box.clientHeight / 2
}
