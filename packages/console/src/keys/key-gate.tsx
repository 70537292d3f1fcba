import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { tryKey } from '../api.ts'
import { useAttempt } from '../attempt.ts'
import { Mark } from '../parts/mark.tsx'
import { Problem } from '../parts/notes.tsx'
import { keepKey, keyProblem } from '../session.ts'
import { useSignal } from '../state.ts'

/** Asks for the key, which stays in this tab. `other`: another way to sign in. */
export function KeyGate({ other }: { other?: ComponentChild }) {
  const earlier = useSignal(keyProblem)
  const [text, setText] = useState('')
  const { failure, isBusy, attempt } = useAttempt()
  const submit = (event: Event) => {
    event.preventDefault()
    return attempt(signIn)
  }
  const signIn = async () => {
    const given = text.trim()
    if (!/^[\x21-\x7e]+$/.test(given))
      throw new Error('A key has no spaces or special characters and looks like sk-run-…')
    await tryKey(given)
    keepKey(given)
  }
  return (
    <main class="gate">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <Mark />
        <h1>Skillrun</h1>
        <p class="soft">
          Enter the API key that the server printed at its first start, or that you set as <code>SKILLRUN_API_KEY</code>
          .
        </p>
        <label class="field">
          <span>API key</span>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            autofocus
            required
            value={text}
            aria-describedby="gate-problem"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div id="gate-problem" role="alert">
          <Problem text={failure || earlier} />
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Trying …' : 'Sign in'}
        </button>
        {other}
        <p class="soft small">The key is only kept in this tab, until you close it.</p>
      </form>
    </main>
  )
}
