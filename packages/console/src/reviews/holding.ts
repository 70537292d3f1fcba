import { SkillrunFailure } from '@skillrun/client/failure.ts'
import type { ReviewItem } from '@skillrun/client/openapi.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import type { Execution } from '../wire.ts'

/** Why a person cannot review an execution now. */
export interface Block {
  readonly reason: string
  /** The claim of somebody else; null if nobody else claims the review, or no longer. */
  readonly claim: ReviewItem['claim']
  readonly isFree: boolean
}

/** How often it is asked whether a claim of somebody else is over. */
const lookMs = 5_000

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

/** Holds an execution that waits for a review for the person who corrects it, as long as they work on it; `block`: why it cannot. */
export function useHold({ id, review }: Execution): { readonly block: Block | undefined; readonly again: () => void } {
  const [block, setBlock] = useState<Block>()
  const again = useRef<() => void>(() => undefined)
  const isWaiting = review?.status === 'needed'
  useEffect(() => {
    if (!isWaiting) return
    const hold = async () => {
      try {
        await askQueue(id, 'claim')
        setBlock(undefined)
      } catch (error) {
        // Another failure shows when something is saved.
        if (!(error instanceof SkillrunFailure) || error.status !== 409) return
        const reason = error.message
        const item = await call<ReviewItem>(`/v1/reviews/${encodeURIComponent(id)}`).catch(() => undefined)
        setBlock({ reason, claim: item?.claim ?? null, isFree: false })
      }
    }
    again.current = () => void hold()
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
  const isClaimed = Boolean(block?.claim)
  useEffect(() => {
    if (!isClaimed) return
    const look = async () => {
      const item = await call<ReviewItem>(`/v1/reviews/${encodeURIComponent(id)}`).catch(() => undefined)
      if (item) setBlock((before) => before && { ...before, claim: item.claim, isFree: item.status === 'needed' })
    }
    const timer = setInterval(() => void look(), lookMs)
    return () => clearInterval(timer)
  }, [id, isClaimed])
  return { block: isWaiting ? block : undefined, again: () => again.current() }
}
