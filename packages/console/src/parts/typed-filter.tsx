import { useEffect, useRef, useState } from 'preact/hooks'

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
  /** The value as this field knows it: what it began with, or applied last. */
  const known = useRef(value)
  // An address that changed elsewhere is taken over. The own filter is not: more may have been typed since.
  useEffect(() => {
    if (value === known.current) return
    known.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    const next = text.trim()
    if (next === known.current) return
    const timer = setTimeout(() => {
      known.current = next
      onChange(next)
    }, typedMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label class="field">
      <span>{name}</span>
      <input type="search" value={text} placeholder={hint} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  )
}
