import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api.ts'
import type { Execution } from '../wire.ts'

/** A third of the time for which a claim lasts. */
const renewMs = 5 * 60_000

/** What was last asked for each execution. */
const last = new Map<string, Promise<unknown>>()

/** Claims, releases or skips an execution after what was asked before: a claim that is under way must not outlive its release. */
export function askQueue(id: string, verb: 'claim' | 'release' | 'skip'): Promise<unknown> {
  const asked = (last.get(id) ?? Promise.resolve()).then(() =>
    call(`/v1/reviews/${encodeURIComponent(id)}/${verb}`, { method: 'POST' }),
  )
  const ended = asked.catch(() => undefined)
  last.set(id, ended)
  void ended.then(() => {
    if (last.get(id) === ended) last.delete(id)
  })
  return asked
}

/** Holds an execution that waits for a review for the person who corrects it, as long as they work on it. Returns why it cannot. */
export function useHold({ id, review }: Execution): string {
  const [refusal, setRefusal] = useState('')
  const isWaiting = review?.status === 'needed'
  useEffect(() => {
    if (!isWaiting) return
    const hold = async () => {
      try {
        await askQueue(id, 'claim')
        setRefusal('')
      } catch (error) {
        // Another failure shows when something is saved.
        if (error instanceof SkillrunFailure && error.status === 409) setRefusal(error.message)
      }
    }
    let hasWorked = true
    const work = () => {
      hasWorked = true
    }
    const renew = () => {
      if (hasWorked) void hold()
      hasWorked = false
    }
    renew()
    const timer = setInterval(renew, renewMs)
    for (const kind of ['keydown', 'pointerdown', 'wheel']) window.addEventListener(kind, work)
    return () => {
      clearInterval(timer)
      for (const kind of ['keydown', 'pointerdown', 'wheel']) window.removeEventListener(kind, work)
    }
  }, [id, isWaiting])
  return isWaiting ? refusal : ''
}
