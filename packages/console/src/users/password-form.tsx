import { useState } from 'preact/hooks'
import { changeSignIn } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { Field } from '../parts/field.tsx'
import { Problem } from '../parts/notes.tsx'

/** Changes the password of the signed-in user. */
export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { failure: problem, attempt } = useAttempt()
  const [isDone, setIsDone] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsDone(false)
    await attempt(async () => {
      await changeSignIn('/v1/me/password', { current_password: current, new_password: next })
      setCurrent('')
      setNext('')
      setIsDone(true)
    })
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field
        label="Current password"
        type="password"
        autocomplete="current-password"
        required
        value={current}
        onText={setCurrent}
      />
      <Field
        label="New password (12 characters or more)"
        type="password"
        autocomplete="new-password"
        minlength={12}
        required
        value={next}
        onText={setNext}
      />
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
