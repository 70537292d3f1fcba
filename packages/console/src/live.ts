import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { readServerEvents } from '@skillrun/client/server-events.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, callRaw, isAway as isServerAway, wordsOf } from './api.ts'
import { key } from './session.ts'

/** The last answer of a route, and the error if it does not answer now. */
export interface Loaded<T> {
  readonly data: T | undefined
  readonly problem: string
  /** Status of the last failure; undefined after a success. */
  readonly status: number | undefined
  readonly again: () => void
}

interface LoadOptions<T> {
  /** Polling interval in milliseconds while the page is visible; 0 or undefined: none. */
  readonly everyMs?: (data: T | undefined) => number
  readonly load?: (path: string, signal: AbortSignal) => Promise<T>
}

/** Delay before retrying a server that does not answer now. */
export const awayMs = 3_000
/** Statuses that pass: too many requests, and those of a server or proxy that is restarting. */
const passing: readonly number[] = [429, 502, 503, 504]

/** Whether the same request may succeed in a moment. */
export const willPass = (error: unknown): boolean =>
  isServerAway(error) || (error instanceof SkillrunFailure && passing.includes(error.status))

/**
 * Starts work that costs something and shows up in a list: once for each state of the list, so that the second click of
 * a double click starts nothing.
 */
export function useStart({ data, again }: Loaded<unknown>) {
  const [failure, setFailure] = useState('')
  const [pressedOn, setPressedOn] = useState<unknown>()
  const start = async (work: () => Promise<unknown>) => {
    setPressedOn(data)
    try {
      await work()
      setFailure('')
    } catch (error) {
      setFailure(wordsOf(error))
      setPressedOn(undefined)
    }
    again()
  }
  return { failure, isPressed: data !== undefined && pressedOn === data, start }
}

/** Fetches `path` (null: nothing), keeps the answer, and polls and retries as needed. */
export function useLoaded<T>(path: string | null, options: LoadOptions<T> = {}): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | undefined; problem: string; status?: number }>({
    path,
    data: undefined,
    problem: '',
  })
  const [round, setRound] = useState(0)
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    if (path === null) return
    const stopped = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let data: T | undefined
    const look = async () => {
      let isAway = false
      try {
        const load = latest.current.load ?? ((at, signal) => call<T>(at, { signal }))
        data = await load(path, stopped.signal)
        if (stopped.signal.aborted) return
        setState({ path, data, problem: '' })
      } catch (error) {
        if (stopped.signal.aborted) return
        const status = error instanceof SkillrunFailure ? error.status : 0
        isAway = willPass(error)
        setState((before) => ({
          path,
          data: before.path === path ? before.data : undefined,
          problem: wordsOf(error),
          status,
        }))
      }
      const everyMs = latest.current.everyMs?.(data) || (isAway ? awayMs : 0)
      if (everyMs > 0) timer = setTimeout(lookWhenSeen, everyMs)
    }
    const lookWhenSeen = () => {
      if (document.visibilityState === 'visible') void look()
      else document.addEventListener('visibilitychange', lookWhenSeen, { once: true })
    }
    void look()
    return () => {
      stopped.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', lookWhenSeen)
    }
  }, [path, round])
  const own = state.path === path
  return {
    data: own ? state.data : undefined,
    problem: own ? state.problem : '',
    status: own ? state.status : undefined,
    again: () => setRound((before) => before + 1),
  }
}

/**
 * Calls `wake` at each server-sent event of `path` until the stream ends, and reports by `onOpen` whether there is a stream: without one
 * the caller polls.
 */
export function useEvents(
  path: string | null,
  { wake, onOpen }: { wake: () => void; onOpen: (open: boolean) => void },
): void {
  const latest = useRef({ wake, onOpen })
  latest.current = { wake, onOpen }
  useEffect(() => {
    if (path === null || key.get() === null) return
    const stopped = new AbortController()
    const follow = async () => {
      const response = await callRaw(path, { signal: stopped.signal })
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return
      latest.current.onOpen(true)
      for await (const _ of readServerEvents(response.body)) latest.current.wake()
    }
    void follow()
      .catch(() => undefined)
      .then(() => {
        if (!stopped.signal.aborted) latest.current.onOpen(false)
      })
    return () => stopped.abort()
  }, [path])
}
