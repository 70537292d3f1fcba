import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { briefTime } from '../format.ts'
import { useLoaded } from '../live.ts'
import { ConfirmButton, CopyButton } from '../parts/buttons.tsx'
import { Field } from '../parts/field.tsx'
import { Nothing, Problem } from '../parts/notes.tsx'
import type { User, UserWithPassword } from '../wire.ts'

const roles = [
  { role: 'viewer', meaning: 'reads' },
  { role: 'reviewer', meaning: 'reads and reviews' },
  { role: 'editor', meaning: 'also executes, uploads, and changes skills' },
  { role: 'admin', meaning: 'everything, including users and keys' },
] as const

/** Adds, changes and removes the users of this workspace. */
export function UsersScreen() {
  const { data, problem, again } = useLoaded<User[]>('/v1/users')
  const { failure, attempt } = useAttempt()
  const [made, setMade] = useState<UserWithPassword>()
  const act = async (id: string, asking: { method: 'PUT' | 'POST' | 'DELETE'; body?: object; verb?: string }) => {
    const { verb, ...how } = asking
    await attempt(async () => {
      const user = await call<User | UserWithPassword>(
        `/v1/users/${encodeURIComponent(id)}${verb ? `/${verb}` : ''}`,
        how,
      )
      setMade('password' in user ? user : undefined)
    })
    again()
  }
  return (
    <div class="narrow">
      <h1>Users</h1>
      <div role="alert">
        <Problem text={problem || failure} />
      </div>
      {data && (
        <NewUser
          onMade={(user) => {
            setMade(user)
            again()
          }}
        />
      )}
      {made?.password && (
        <div class="made" role="status">
          <p>
            The password of <strong>{made.email}</strong> is shown this once, and has to be changed at the first
            sign-in:
          </p>
          <p class="made-key">
            <code>{made.password}</code> <CopyButton text={() => made.password ?? ''} />
          </p>
        </div>
      )}
      {data?.length === 0 && <Nothing>This workspace has no users. Everybody works with keys.</Nothing>}
      {data && data.length > 0 && (
        <ul class="rows">
          {data.map((one) => (
            <UserRow key={one.id} one={one} act={(asking) => act(one.id, asking)} />
          ))}
        </ul>
      )}
    </div>
  )
}

type Act = (asking: { method: 'PUT' | 'POST' | 'DELETE'; body?: object; verb?: string }) => Promise<void>

function UserRow({ one, act }: { one: User; act: Act }) {
  return (
    <li class={one.disabled ? 'row key-row past' : 'row key-row'}>
      <span class="grow">
        <strong>{one.name}</strong>
        <span class="soft small block">
          {one.email} · {one.signed_in_at ? `last sign-in ${briefTime(one.signed_in_at)}` : 'never signed in'}
          {one.disabled && ' · disabled'}
        </span>
      </span>
      <select
        aria-label={`Role of ${one.email}`}
        value={one.role}
        onChange={({ currentTarget }) => void act({ method: 'PUT', body: { role: currentTarget.value } })}
      >
        {roles.map(({ role }) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      <ConfirmButton
        name="Reset password"
        ask="End the sessions too?"
        onDone={() => act({ method: 'POST', verb: 'reset-password' })}
      />
      <button
        type="button"
        class="quiet"
        onClick={() => void act({ method: 'PUT', body: { disabled: !one.disabled } })}
      >
        {one.disabled ? 'Enable' : 'Disable'}
      </button>
      <ConfirmButton name="Remove" ask="Remove permanently?" onDone={() => act({ method: 'DELETE' })} />
    </li>
  )
}

function NewUser({ onMade }: { onMade: (user: UserWithPassword) => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('reviewer')
  const { failure: problem, attempt } = useAttempt()
  const add = async (event: Event) => {
    event.preventDefault()
    await attempt(async () => {
      const body = { email, role, ...(name.trim() ? { name } : {}) }
      onMade(await call<UserWithPassword>('/v1/users', { method: 'POST', body }))
      setEmail('')
      setName('')
    })
  }
  return (
    <form class="card" onSubmit={(event) => void add(event)}>
      <h2>New user</h2>
      <div class="pair">
        <Field label="Email address" type="email" required value={email} onText={setEmail} />
        <Field label="Name (optional)" value={name} maxLength={100} onText={setName} />
      </div>
      <label class="field">
        <span>Role</span>
        <select value={role} onChange={({ currentTarget }) => setRole(currentTarget.value)}>
          {roles.map((one) => (
            <option key={one.role} value={one.role}>
              {one.role}: {one.meaning}
            </option>
          ))}
        </select>
      </label>
      <Problem text={problem} />
      <button type="submit" class="primary">
        Add user
      </button>
    </form>
  )
}
