import { useEffect, useState } from 'preact/hooks'

/** A value that survives the component that shows it. */
export interface Signal<T> {
  get(): T
  set(value: T): void
  watch(wake: () => void): () => void
}

export function signal<T>(first: T): Signal<T> {
  let value = first
  const watching = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const wake of [...watching]) wake()
    },
    watch(wake) {
      watching.add(wake)
      return () => void watching.delete(wake)
    },
  }
}

/** The signal's value; rerenders on change. */
export function useSignal<T>(of: Signal<T>): T {
  const [value, setValue] = useState(() => of.get())
  useEffect(() => {
    setValue(() => of.get())
    return of.watch(() => setValue(() => of.get()))
  }, [of])
  return value
}
