import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { tryKey } from '../api.ts'
import { Field } from '../parts/field.tsx'
import { keepKey } from '../session.ts'
import { GateForm } from './gate.tsx'

/** Asks for the key, which stays in this tab. `other`: another way to sign in. */
export function KeyGate({ other }: { other?: ComponentChild }) {
  const [text, setText] = useState('')
  const signIn = async () => {
    const given = text.trim()
    if (!/^[\x21-\x7e]+$/.test(given))
      throw new Error('A key has no spaces or special characters and looks like sk-run-…')
    await tryKey(given)
    keepKey(given)
  }
  const fields = (
    <>
      <p class="soft">
        Enter the API key that the server printed at its first start, or that you set as <code>SKILLRUN_API_KEY</code>.
      </p>
      <Field
        label="API key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        autofocus
        required
        value={text}
        aria-describedby="gate-problem"
        onText={setText}
      />
    </>
  )
  return (
    <GateForm fields={fields} busy="Trying …" signIn={signIn}>
      {other}
      <p class="soft small">The key is only kept in this tab, until you close it.</p>
    </GateForm>
  )
}
