import { useEffect, useState } from 'preact/hooks'

/** Delay before a typed filter applies. */
const typedMs = 350

interface TypedFilterProps {
  readonly name: string
  readonly hint: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A filter of a list that applies while one types. What is typed stays when the list is drawn again. */
export function TypedFilter({ name, hint, value, onChange }: TypedFilterProps) {
  const [text, setText] = useState(value)
  // An address that changed elsewhere is taken over; the own filter, applied without the space just typed, is not.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), typedMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label class="field">
      <span>{name}</span>
      <input type="search" value={text} placeholder={hint} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  )
}
