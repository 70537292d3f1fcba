import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { changeSignIn, leave, loadSignIn } from '../api.ts'
import { GateForm } from '../keys/gate.tsx'
import { KeyGate } from '../keys/key-gate.tsx'
import { Field } from '../parts/field.tsx'
import { Mark } from '../parts/mark.tsx'
import { Problem } from '../parts/notes.tsx'
import { keyProblem, signIn } from '../session.ts'
import { useSignal } from '../state.ts'
import type { SignInState } from '../wire.ts'
import { PasswordForm } from './password-form.tsx'

/** Sign-in by the identity provider, by email address and password if there are users, otherwise by key. */
export function SignInGate() {
  const state = useSignal(signIn)
  const [hasFailed, setHasFailed] = useState(false)
  const [wantsKey, setWantsKey] = useState(false)
  useEffect(() => {
    // Without an answer a key can still be tried, with its own message.
    if (!state) loadSignIn().catch(() => setHasFailed(true))
  }, [state])
  if (!state && !hasFailed) return <main class="gate" aria-busy="true" />
  if (state?.user?.must_change_password) return <FirstPassword />
  if (!state?.password && !state?.provider) return <KeyGate />
  if (wantsKey)
    return (
      <KeyGate
        other={
          <button type="button" class="quiet" onClick={() => setWantsKey(false)}>
            {state.provider ? 'Other ways to sign in' : 'Sign in with a password'}
          </button>
        }
      />
    )
  const others = (
    <>
      <button type="button" class="quiet" onClick={() => setWantsKey(true)}>
        Use an API key
      </button>
      {state.provider && (
        <a class="quiet button" href={state.provider.sign_out_url}>
          Sign out of {state.provider.name}
        </a>
      )}
    </>
  )
  const provider = state.provider && <ProviderButton provider={state.provider} isMain={!state.password} />
  return state.password ? (
    <PasswordGate provider={provider} other={others} />
  ) : (
    <main class="gate">
      <div class="card">
        <Mark />
        <h1>Skillrun</h1>
        <Earlier />
        {provider}
        {others}
      </div>
    </main>
  )
}

/** Leads to the identity provider, and from there back to this page. */
function ProviderButton({ provider, isMain }: { provider: NonNullable<SignInState['provider']>; isMain: boolean }) {
  const back = new URLSearchParams({ return_to: `${location.pathname}${location.search}` })
  return (
    <a class={isMain ? 'button primary' : 'button'} href={`${provider.sign_in_url}?${back}`}>
      Sign in with {provider.name}
    </a>
  )
}

/** Why somebody who was signed in has to sign in again. */
function Earlier() {
  const earlier = useSignal(keyProblem)
  return (
    <div role="alert">
      <Problem text={earlier} />
    </div>
  )
}

function PasswordGate({ provider, other }: { provider: ComponentChild; other: ComponentChild }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const fields = (
    <>
      <Field
        label="Email address"
        type="email"
        autocomplete="username"
        autofocus
        required
        value={email}
        aria-describedby="gate-problem"
        onText={setEmail}
      />
      <Field
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        value={password}
        aria-describedby="gate-problem"
        onText={setPassword}
      />
    </>
  )
  return (
    <GateForm fields={fields} busy="Signing in …" signIn={() => changeSignIn('/v1/sign-in', { email, password })}>
      {provider}
      {other}
    </GateForm>
  )
}

/** Somebody else chose the password: the user must change it first. */
function FirstPassword() {
  return (
    <main class="gate">
      <div class="card">
        <Mark />
        <h1>Choose a password</h1>
        <p class="soft">Somebody else chose your current password. Choose one that only you know.</p>
        <PasswordForm />
        <button type="button" class="quiet" onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </main>
  )
}
