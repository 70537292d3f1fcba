import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime, longTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton, CopyButton } from '../parts/buttons.tsx'
import { Field } from '../parts/field.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import type { Key } from '../wire.ts'

const scopes = [
  { scope: 'execute', description: 'run executions' },
  { scope: 'read', description: 'read executions and files' },
  { scope: 'files:write', description: 'upload and delete files' },
  { scope: 'skills:write', description: 'create and change skills' },
  { scope: 'review', description: 'correct answers' },
  { scope: 'approve', description: 'approve executions that wait for it' },
  { scope: 'admin', description: 'everything, including keys' },
] as const

/** Creates, lists and revokes keys. */
export function KeysScreen() {
  const { data, problem, again } = useLoaded<Key[]>('/v1/keys')
  const { failure, attempt } = useAttempt()
  const revoke = async (id: string) => {
    await attempt(() => call(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE' }))
    again()
  }
  return (
    <div class="narrow">
      <h1>Keys</h1>
      <Problem text={problem || failure} />
      {data && <NewKey onMade={again} />}
      {data?.length === 0 && <Nothing>This workspace has no keys.</Nothing>}
      {data && data.length > 0 && (
        <ul class="rows">
          {data.map((one) => (
            <KeyRow key={one.id} one={one} onRevoke={() => revoke(one.id)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function KeyRow({ one, onRevoke }: { one: Key; onRevoke: () => Promise<void> }) {
  const isOver = one.expires_at !== null && new Date(one.expires_at) <= new Date()
  return (
    <li class={one.revoked_at || isOver ? 'row key-row past' : 'row key-row'}>
      <span class="grow">
        <strong>{one.name || 'unnamed'}</strong> <code>…{one.hint}</code>
        <span class="soft small block">
          {one.scopes.join(', ')} · created <time title={longTime(one.created_at)}>{briefTime(one.created_at)}</time>
          {one.expires_at && ` · ${isOver ? 'expired' : 'expires'} ${longTime(one.expires_at)}`}
          {one.revoked_at && ` · revoked ${briefTime(one.revoked_at)}`}
        </span>
      </span>
      {!one.revoked_at && <ConfirmButton name="Revoke" ask="Revoke permanently?" onDone={onRevoke} />}
    </li>
  )
}

function NewKey({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['execute', 'read', 'files:write'])
  const [expires, setExpires] = useState('')
  const [made, setMade] = useState<{ key: string; name: string }>()
  const { failure: problem, attempt } = useAttempt()
  const make = async (event: Event) => {
    event.preventDefault()
    await attempt(async () => {
      const body = {
        name,
        scopes: chosen,
        ...(expires ? { expires_at: new Date(`${expires}T23:59:59`).toISOString() } : {}),
      }
      setMade(await call<{ key: string; name: string }>('/v1/keys', { method: 'POST', body }))
      setName('')
      onMade()
    })
  }
  return (
    <form class="card" onSubmit={(event) => void make(event)}>
      <h2>New key</h2>
      <div class="pair">
        <Field label="Name" value={name} maxLength={255} placeholder="Who or what will use it" onText={setName} />
        <Field label="Last day (optional)" type="date" value={expires} onText={setExpires} />
      </div>
      <fieldset>
        <legend>Permissions</legend>
        <div class="checks">
          {scopes.map(({ scope, description }) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ currentTarget }) =>
                  setChosen(currentTarget.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
                }
              />
              <span>
                {description} <code class="small">{scope}</code>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Problem text={problem} />
      <button type="submit" class="primary" disabled={chosen.length === 0}>
        Create key
      </button>
      {made && (
        <div class="made" role="status">
          <p>
            <strong>{made.name || 'The key'}</strong> is shown this once:
          </p>
          <p class="made-key">
            <code>{made.key}</code> <CopyButton text={() => made.key} />
          </p>
        </div>
      )}
    </form>
  )
}
