import { useState } from 'preact/hooks'
import { call, callRaw } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { Problem } from '../parts/notes.tsx'
import { save } from '../parts/save.ts'
import { TableHead } from '../parts/table.tsx'
import { Link } from '../router.tsx'
import type { Difference, Execution, Replay } from '../wire.ts'

/** Capsule, replay and comparison of an execution. */
export function ProofCard({ execution }: { execution: Execution }) {
  const { id, forked_from, imported_from, trusted } = execution
  const at = `/v1/agent/executions/${encodeURIComponent(id)}`
  const { failure, attempt } = useAttempt()
  const [replay, setReplay] = useState<Replay>()
  const [isReplaying, setIsReplaying] = useState(false)
  const download = (contents: boolean) =>
    attempt(async () => {
      const reply = await callRaw(`${at}/capsule?contents=${contents}`)
      save(`${id}.capsule.json`, 'application/json', await reply.text())
    })
  const replayNow = () => {
    setIsReplaying(true)
    return attempt(async () => setReplay(await call<Replay>(`${at}/replay`, { method: 'POST' }))).finally(() =>
      setIsReplaying(false),
    )
  }
  return (
    <section class="stack" aria-label="Proof">
      {imported_from !== null && (
        <p>
          Imported from a capsule of execution <code class="name">{imported_from}</code>,{' '}
          {trusted ? 'signed by this server.' : 'signed with a key that this server does not know.'}
        </p>
      )}
      {imported_from === null && (
        <div class="head-line">
          <button type="button" onClick={() => void download(false)}>
            Download capsule
          </button>
          <button type="button" onClick={() => void download(true)}>
            Download capsule with contents
          </button>
        </div>
      )}
      <div class="head-line">
        <button type="button" disabled={isReplaying} onClick={() => void replayNow()}>
          Replay
        </button>
        <span role="status">
          {isReplaying && 'Replaying…'}
          {!isReplaying && replay?.equal && 'Equal: the replay gave the same output, with 0 model calls.'}
          {!isReplaying && replay && !replay.equal && 'The replay differs.'}
        </span>
      </div>
      {replay && !replay.equal && (
        <Differences
          names={['Was', 'Is']}
          list={replay.differences.map(({ path, was, is }) => ({ path, left: was, right: is }))}
        />
      )}
      <Compare id={id} first={forked_from ?? ''} attempt={attempt} />
      <Problem text={failure} />
    </section>
  )
}

interface CompareProps {
  id: string
  first: string
  attempt: (work: () => Promise<void>) => Promise<void>
}

function Compare({ id, first, attempt }: CompareProps) {
  const [other, setOther] = useState(first)
  const [list, setList] = useState<readonly Difference[]>()
  const compare = () => {
    setList(undefined)
    const path = `/v1/agent/executions/${encodeURIComponent(other.trim())}/diff/${encodeURIComponent(id)}`
    return attempt(async () => setList(await call<readonly Difference[]>(path)))
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void compare()
      }}
    >
      <div class="head-line">
        <label class="grow">
          Compare with execution{' '}
          <input value={other} onInput={(event) => setOther(event.currentTarget.value)} placeholder="id" />
        </label>
        <button type="submit" disabled={other.trim() === ''}>
          Compare
        </button>
        {first !== '' && <Link to={`/executions/${first}`}>Forked from</Link>}
      </div>
      <span role="status">{list?.length === 0 && 'No differences.'}</span>
      {list !== undefined && list.length > 0 && <Differences names={['Other', 'This']} list={list} />}
    </form>
  )
}

function Differences({ names, list }: { names: readonly [string, string]; list: readonly Difference[] }) {
  return (
    <table class="small even">
      <TableHead head={['Path', ...names]} />
      <tbody>
        {list.map(({ path, left, right }) => (
          <tr key={path}>
            <td>
              <code class="name">{path}</code>
            </td>
            <td class="name">{JSON.stringify(left)}</td>
            <td class="name">{JSON.stringify(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
