import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Copies a text and confirms it. */
export function CopyButton({ text, name = 'Copy' }: { text: () => string; name?: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => setSaid((await copyText(text())) ? 'Copied' : 'Select the text and copy it')
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{said || name}</span>
    </button>
  )
}

/** The clipboard API needs HTTPS or localhost; elsewhere `execCommand` still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    return isDone
  }
}

/** A button for an irreversible action: asks for confirmation in place. */
export function ConfirmButton({ name, ask, onDone }: { name: string; ask: string; onDone: () => Promise<void> }) {
  const [step, setStep] = useState<'idle' | 'asked' | 'doing'>('idle')
  const press = async () => {
    if (step === 'idle') return setStep('asked')
    setStep('doing')
    await onDone()
    setStep('idle')
  }
  return (
    <button
      type="button"
      class={step === 'idle' ? 'quiet' : 'danger'}
      disabled={step === 'doing'}
      // The second click of a double click confirms nothing.
      onClick={({ detail }) => detail < 2 && void press()}
      onBlur={() => step === 'asked' && setStep('idle')}
      onKeyDown={(event) => event.key === 'Escape' && setStep('idle')}
    >
      <span aria-live="polite">{step === 'idle' ? name : ask}</span>
    </button>
  )
}

/** Buttons and links behind one button; it closes when one is used, on Escape, and when the focus leaves it. */
export function Menu({ name, children }: { name: string; children: ComponentChildren }) {
  const place = useRef<HTMLDetailsElement>(null)
  const close = () => place.current?.removeAttribute('open')
  return (
    <details
      ref={place}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        close()
        place.current?.querySelector('summary')?.focus()
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !place.current?.contains(event.relatedTarget)) close()
      }}
    >
      <summary class="button">{name}</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons within take the keys. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button within clicks it. */}
      <div class="menu-items" onClick={close}>
        {children}
      </div>
    </details>
  )
}
