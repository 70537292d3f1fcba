import { useState } from 'preact/hooks'
import { call, wordsOf } from '../api.ts'
import { briefTime, count, duration, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton } from '../parts/buttons.tsx'
import { Problem, Skeletons } from '../parts/notes.tsx'
import { Table } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import type { Queues, ResumedExecutions } from '../wire.ts'

const pollMs = 2_000
/** A host is identified by a long random id. */
const hostCharacters = 8

/** Waiting and running work by tier, and the workers. */
export function QueuesScreen() {
  const { data, problem, again } = useLoaded<Queues>('/v1/queues', { everyMs: () => pollMs })
  return (
    <>
      <div class="head-line">
        <h1>Queues</h1>
        {data && <Resume queues={data} onDone={again} />}
      </div>
      <Problem text={problem} />
      {!data && !problem && <Skeletons />}
      {data && <Tiers tiers={data.tiers} />}
      {data?.workers && <Workers workers={data.workers} />}
    </>
  )
}

function Tiers({ tiers }: { tiers: Queues['tiers'] }) {
  const isOperator = tiers.some(({ jobs_waiting }) => jobs_waiting !== null)
  const head = ['Tier', 'Slots#', 'Running#', 'Waiting#', 'Oldest', 'Paused#', 'Stalled#', 'Retried#']
  return (
    <Table label="Tiers" head={[...head, ...(isOperator ? ['All workspaces#'] : [])]}>
      {tiers.map((one) => (
        <tr key={one.tier}>
          <th scope="row">{one.tier}</th>
          <td class="number">{one.slots}</td>
          <Count tier={one.tier} status="running" of={one.running} />
          <Count tier={one.tier} status="enqueued" of={one.waiting} />
          <td>{one.oldest_waiting_at ? <Age since={one.oldest_waiting_at} /> : '–'}</td>
          <Count tier={one.tier} status="paused" of={one.paused} />
          <td class={one.stalled > 0 ? 'number bad' : 'number'}>{one.stalled}</td>
          <td class={one.retried > 0 ? 'number warn' : 'number'}>{one.retried}</td>
          {isOperator && <td class="number">{one.jobs_waiting}</td>}
        </tr>
      ))}
    </Table>
  )
}

function Count({ tier, status, of }: { tier: string; status: string; of: number }) {
  return (
    <td class="number">{of > 0 ? <Link to={`/executions?service_tier=${tier}&status=${status}`}>{of}</Link> : of}</td>
  )
}

const Age = ({ since }: { since: string }) => (
  <time dateTime={since} title={longTime(since)}>
    {duration(Math.max(0, Date.now() - Date.parse(since)))}
  </time>
)

function Workers({ workers }: { workers: NonNullable<Queues['workers']> }) {
  return (
    <>
      <h2>Workers</h2>
      <Table label="Workers" head={['Process', 'Started', 'Priority#', 'Standard#', 'Flex#']}>
        {workers.map(({ id, host, pid, started_at, slots }) => (
          <tr key={id}>
            <th scope="row" title={`${host} ${id}`}>
              {pid} <span class="soft">on {host.slice(0, hostCharacters)}</span>
            </th>
            <td>
              <time dateTime={started_at} title={longTime(started_at)}>
                {briefTime(started_at)}
              </time>
            </td>
            <td class="number">{slots?.['priority'] ?? '–'}</td>
            <td class="number">{slots?.['standard'] ?? '–'}</td>
            <td class="number">{slots?.['flex'] ?? '–'}</td>
          </tr>
        ))}
      </Table>
      <p class="small soft">
        Slots are executions that run at the same time. A process without slots answers the API and runs nothing.
      </p>
    </>
  )
}

/** Resumes executions in bulk after an outage. */
function Resume({ queues, onDone }: { queues: Queues; onDone: () => void }) {
  const [result, setResult] = useState('')
  const paused = queues.tiers.reduce((sum, one) => sum + one.paused, 0)
  const resume = async (status: string) => {
    try {
      const { resumed, refused } = await call<ResumedExecutions>('/v1/agent/executions/resume', {
        method: 'POST',
        body: { filter: { status } },
      })
      const [first] = refused
      setResult(`${count(resumed, 'execution')} resumed${first ? `. First refusal: ${first.reason}` : ''}`)
    } catch (error) {
      setResult(wordsOf(error))
    }
    onDone()
  }
  return (
    <span class="acts">
      <span class="small soft" role="status">
        {result}
      </span>
      {paused > 0 && (
        <ConfirmButton name={`Resume ${paused} paused`} ask="Resume all?" onDone={() => resume('paused')} />
      )}
      <ConfirmButton name="Resume failed" ask="Resume all that may succeed now?" onDone={() => resume('failed')} />
    </span>
  )
}
