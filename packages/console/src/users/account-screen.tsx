import { leave } from '../api.ts'
import { Nothing } from '../parts/notes.tsx'
import { chooseWorkspace, key, signIn } from '../session.ts'
import { useSignal } from '../state.ts'
import { PasswordForm } from './password-form.tsx'

/** The signed-in user: workspaces, password, sessions. */
export function AccountScreen() {
  const keyText = useSignal(key)
  const user = useSignal(signIn)?.user
  if (keyText !== null || !user)
    return (
      <div class="narrow">
        <h1>Account</h1>
        <Nothing>You signed in with an API key. Only users have an account.</Nothing>
      </div>
    )
  return (
    <div class="narrow">
      <h1>{user.name}</h1>
      <p class="soft">
        {user.email} · {user.role} in {user.workspace.name}
      </p>
      {user.workspaces.length > 1 && (
        <label class="field">
          <span>Workspace of this tab</span>
          <select value={user.workspace.id} onChange={({ currentTarget }) => chooseWorkspace(currentTarget.value)}>
            {user.workspaces.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} ({one.role})
              </option>
            ))}
          </select>
        </label>
      )}
      {user.has_password && (
        <section class="card">
          <h2>Password</h2>
          <PasswordForm />
        </section>
      )}
      <section class="card">
        <h2>Sessions</h2>
        <p class="soft">A session ends after 12 hours without use, and after 7 days at the latest.</p>
        <button type="button" onClick={() => void leave({ everywhere: true })}>
          Sign out everywhere
        </button>
      </section>
    </div>
  )
}
