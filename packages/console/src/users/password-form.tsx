import { useState } from 'preact/hooks'
import { changeSignIn, wordsOf } from '../api.ts'
import { Problem } from '../parts/notes.tsx'

/** Changes the password of the signed-in user. */
export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [problem, setProblem] = useState('')
  const [isDone, setIsDone] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsDone(false)
    try {
      await changeSignIn('/v1/me/password', { current_password: current, new_password: next })
      setCurrent('')
      setNext('')
      setProblem('')
      setIsDone(true)
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>Current password</span>
        <input
          type="password"
          autocomplete="current-password"
          required
          value={current}
          onInput={(event) => setCurrent(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>New password (12 characters or more)</span>
        <input
          type="password"
          autocomplete="new-password"
          minlength={12}
          required
          value={next}
          onInput={(event) => setNext(event.currentTarget.value)}
        />
      </label>
      <div role="alert">
        <Problem text={problem} />
      </div>
      <button type="submit" class="primary">
        Change password
      </button>
      {isDone && <p role="status">The password is changed. Your other sessions have ended.</p>}
    </form>
  )
}
