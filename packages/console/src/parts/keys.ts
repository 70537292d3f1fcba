import { useLayoutEffect, useRef } from 'preact/hooks'

/** Calls `run` when the key is pressed outside input fields. */
export function useKey(key: string, run: (event: KeyboardEvent) => void): void {
  useKeys((event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, dialog')
    if (event.key?.toLowerCase() !== key || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run(event)
  })
}

/** Calls `press` for each key that nothing in the page has taken. */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press)
  latest.current = press
  // At once: a key may follow the one that showed the control.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
