import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import { dollars, duration, longTime } from '../format.ts'
import { useEvents, useLoaded } from '../live.ts'
import { CarefulButton } from '../parts/buttons.tsx'
import { EvidenceMark, Nothing, Problem, StatusMark } from '../parts/notes.tsx'
import { go, Link } from '../router.tsx'
import { fillFrom } from '../run/draft.ts'
import {
  type Asked,
  type EvidenceMap,
  type Execution,
  hasEnded,
  isResumable,
  type Step,
  type Warning,
} from '../wire.ts'
import { AnswerView } from './answer-view.tsx'
import { ArtifactsCard } from './artifacts-card.tsx'
import { CallbacksCard } from './callbacks-card.tsx'
import { DocumentView } from './document-view.tsx'
import { JsonCard, RequestCard } from './request-card.tsx'
import { archivesOf, readingsOf, sourcesOf, withEntries } from './sources.ts'
import { StepsCard, UsageCard } from './steps-card.tsx'
import type { Picked } from './timed-view.tsx'

const lookMs = 1_000
const wakeMs = 80
const nothingFound: EvidenceMap = {}

/** One execution: its answer beside the document, how it came about, what it cost. */
export function ExecutionScreen({ id }: { id: string }) {
  const at = `/v1/agent/executions/${encodeURIComponent(id)}`
  const [isFollowed, setIsFollowed] = useState(false)
  // The stream of events tells when to look; where there is none, the clock does.
  const everyMs = (data: Execution | undefined) => (isFollowed || (data && hasEnded(data.status)) ? 0 : lookMs)
  const record = useLoaded<Execution>(at, { everyMs })
  const execution = record.data
  const isOpen = execution !== undefined && !hasEnded(execution.status)
  const steps = useLoaded<Step[]>(execution ? `${at}/steps` : null)
  const asked = useLoaded<Asked>(execution ? `${at}/request` : null)
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
  useEffect(() => {
    if (execution) steps.again()
  }, [execution])
  if (!execution) {
    if (record.status === 404) return <Nothing>This workspace has no execution with this id.</Nothing>
    return <Problem text={record.problem} />
  }
  return (
    <>
      <Head execution={execution} asked={asked.data} onChange={record.again} problem={record.problem} />
      <Body execution={execution} steps={steps.data ?? []} asked={asked.data} />
      <div class="cards">
        <ArtifactsCard executionId={execution.id} version={execution.status} />
        <StepsCard execution={execution} steps={steps.data ?? []} />
        <UsageCard execution={execution} />
        {asked.data && <RequestCard asked={asked.data} />}
        {asked.data?.callback_url && <CallbacksCard executionId={execution.id} version={execution.status} />}
        <JsonCard execution={execution} />
      </div>
    </>
  )
}

interface HeadProps {
  readonly execution: Execution
  readonly asked: Asked | undefined
  readonly onChange: () => void
  readonly problem: string
}

function Head({ execution, asked, onChange, problem }: HeadProps) {
  const [failure, setFailure] = useState('')
  const {
    id,
    name,
    status,
    created_at,
    completed_at,
    usage,
    model,
    model_selection,
    client_id,
    service_tier,
    session_id,
    skills,
  } = execution
  const { program } = execution
  const move = async (verb: string) => {
    try {
      await call(`/v1/agent/executions/${id}/${verb}`, { method: 'POST' })
      setFailure('')
    } catch (error) {
      setFailure(wordsOf(error))
    }
    onChange()
  }
  const again = async () => {
    try {
      const made = await call<Execution>(`/v1/agent/executions/${id}/rerun`, { method: 'POST', body: {} })
      go(`/executions/${made.id}`)
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  const change = () => {
    if (asked) fillFrom(asked)
    go('/')
  }
  return (
    <header class="head">
      <p class="small soft">
        <Link to="/executions">Executions</Link> / <code class="name">{id}</code>
      </p>
      <div class="head-line">
        <h1 class="name">{name}</h1>
        <span role="status">
          <StatusMark status={status} />
        </span>
        <span class="acts">
          {(status === 'running' || status === 'enqueued') && (
            <button type="button" class="quiet" onClick={() => void move('pause')}>
              Pause
            </button>
          )}
          {(status === 'paused' || isResumable(execution)) && (
            <button type="button" class="primary" onClick={() => void move('resume')}>
              Resume
            </button>
          )}
          {!hasEnded(status) && <CarefulButton name="Cancel" ask="Cancel permanently?" onDone={() => move('cancel')} />}
          {hasEnded(status) && (
            <button type="button" class="quiet" onClick={() => void again()}>
              Run again
            </button>
          )}
          <button type="button" class="quiet" disabled={!asked} onClick={change}>
            Change and run
          </button>
        </span>
      </div>
      <p class="small soft facts-line">
        <time dateTime={created_at}>{longTime(created_at)}</time>
        {completed_at && <span>{duration(Date.parse(completed_at) - Date.parse(created_at))}</span>}
        {usage.cost_dollars !== null && <span>{dollars(usage.cost_dollars)}</span>}
        <span title={model_selection.reason ?? ''}>
          {model}
          {model_selection.resolved && ` → ${model_selection.resolved}`}
        </span>
        {client_id !== null && <span class="name">request {client_id}</span>}
        <span>{service_tier}</span>
        {skills.map((one) => (
          <span key={one.id ?? one.name} class="name">
            skill {one.id ? <Link to={`/skills/${one.id}`}>{one.name}</Link> : one.name} {one.skill_version}
          </span>
        ))}
        {program && <span>program {program.sha256.slice(0, 8)}</span>}
        {session_id && (
          <Link to={`/executions?session_id=${encodeURIComponent(session_id)}`} class="name">
            session {session_id}
          </Link>
        )}
      </p>
      <Problem text={failure || problem} />
    </header>
  )
}

function Body({ execution, steps, asked }: { execution: Execution; steps: readonly Step[]; asked: Asked | undefined }) {
  const [hovered, setHovered] = useState<string | null>(null)
  const [picked, setPicked] = useState<Picked>()
  const active = hovered ?? picked?.pointer ?? null
  const pick = (pointer: string, where: Picked['where']) =>
    setPicked((before) => ({ pointer, where, round: (before?.round ?? 0) + 1 }))
  const answerPlace = useRef<HTMLDivElement>(null)
  const evidence = execution.evidence ?? nothingFound
  const archives = useMemo(() => archivesOf(steps), [steps])
  const sources = useMemo(() => withEntries(sourcesOf(asked?.inputs ?? {}), archives), [asked, archives])
  const readings = useMemo(() => readingsOf(steps), [steps])
  const { status, error, response, usage } = execution
  const lookFromPage = (pointer: string | null) => {
    setHovered(pointer)
    if (pointer === null) return
    const row = rowOf(answerPlace.current, pointer)
    // Only within the answer's own scroller: the page under the pointer must not move away.
    if (row) scrollWithin(answerPlace.current, row)
  }
  const showInAnswer = (pointer: string) => {
    pick(pointer, 'source')
    rowOf(answerPlace.current, pointer)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is one more way to let go; looking elsewhere is the other.
    <div class="beside" onKeyDown={(event) => event.key === 'Escape' && setPicked(undefined)}>
      <DocumentView
        executionId={execution.id}
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
      <section aria-label="Answer" class="answer-side">
        <div class="document-bar">
          <h2>Answer</h2>
          {execution.completeness && (
            <span class="small soft" title={execution.completeness.calibration ?? undefined}>
              {execution.completeness.found} of {execution.completeness.asked} fields found
              {execution.completeness.max_wrong_rate !== null &&
                `, held to ${execution.completeness.max_wrong_rate * 100} % wrong`}
            </span>
          )}
          <ProofCounts evidence={evidence} />
        </div>
        <div class="card answer-card" ref={answerPlace}>
          {error && (
            <div class="problem" role="alert">
              <p>{error.message}</p>
              <p class="small">
                <code>{error.code}</code>
                {error.retryable && '· running it again may succeed'}
              </p>
            </div>
          )}
          {!error && usage.message && <p class="hint">{usage.message}</p>}
          <Warnings warnings={execution.warnings} isMessageShown={!error} />
          {!hasEnded(status) && <Waiting execution={execution} steps={steps} />}
          {response !== null && (
            <AnswerView
              answer={response}
              evidence={evidence}
              active={active}
              look={setHovered}
              pick={(pointer) => pick(pointer, 'answer')}
            />
          )}
          {status === 'completed' && response === null && <p class="soft">The answer is null.</p>}
        </div>
      </section>
    </div>
  )
}

const rowOf = (answer: HTMLElement | null, pointer: string): HTMLElement | undefined =>
  [...(answer?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])].find((row) => row.dataset['pointer'] === pointer)

/** What the message above the answer does not name: fields that were not found stand in the answer with their reason. */
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

/** How many values were found to hold, and how. */
function ProofCounts({ evidence }: { evidence: EvidenceMap }) {
  const found = Map.groupBy(Object.values(evidence), (one) => one.status)
  return (
    <span class="acts">
      {(['verified', 'normalised', 'derived', 'unsupported'] as const).map((status) => {
        const many = found.get(status)?.length ?? 0
        return many > 0 && <EvidenceMark key={status} status={status} many={many} />
      })}
    </span>
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
