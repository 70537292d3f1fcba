import type { ComponentChild, ComponentChildren } from 'preact'
import { useAttempt } from '../attempt.ts'
import { Mark } from '../parts/mark.tsx'
import { Problem } from '../parts/notes.tsx'
import { keyProblem } from '../session.ts'
import { useSignal } from '../state.ts'

interface GateFormProps {
  readonly fields: ComponentChild
  /** What the button says while it works. */
  readonly busy: string
  readonly signIn: () => Promise<unknown>
  readonly children: ComponentChildren
}

/** The form of a person who is not signed in. It says why somebody who was signed in has to sign in again. */
export function GateForm({ fields, busy, signIn, children }: GateFormProps) {
  const earlier = useSignal(keyProblem)
  const { failure, isBusy, attempt } = useAttempt()
  const submit = (event: Event) => {
    event.preventDefault()
    return attempt(signIn)
  }
  return (
    <main class="gate">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Skillrun</h1>
        {fields}
        <div id="gate-problem" role="alert">
          <Problem text={failure || earlier} />
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? busy : 'Sign in'}
        </button>
        {children}
      </form>
    </main>
  )
}
