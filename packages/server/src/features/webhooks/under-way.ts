import type { Clock } from '@skillrun/core/clock.ts'
import { limits } from '../../core/limits.ts'

/** Running POSTs of a process, by workspace. */
export interface UnderWay {
  /** Whether a POST of this workspace to this receiver must wait: slow receivers, or all receivers, hold their share of the slots. */
  isFull(workspaceId: string, receiver: string): boolean
  /** Starts a POST; the returned function ends it. */
  begin(workspaceId: string, receiver: string): () => void
}

interface Post {
  readonly receiver: string
  readonly ms: number
}

/** Receivers that are remembered as quick. */
const quickMax = 10_000

/**
 * Keeps slow receivers of one workspace from taking every slot: a POST counts as slow once it is older than `limits.callbackSlowMs`. While
 * slow ones hold their share, only receivers whose last POST was quick are called. One workspace may hold most slots, not all.
 */
export function makeUnderWay(clock: Pick<Clock, 'monotonicMs'>): UnderWay {
  const begun = new Map<string, Set<Post>>()
  const quick = new Set<string>()
  const isSlow = ({ ms }: Post): boolean => clock.monotonicMs() - ms > limits.callbackSlowMs
  return {
    isFull(workspaceId, receiver) {
      const posts = [...(begun.get(workspaceId) ?? [])]
      if (posts.length >= limits.callbackSlotsPerWorkspace) return true
      const slow = posts.filter(isSlow)
      if (slow.length < limits.callbackSlowSlotsPerWorkspace) return false
      return !quick.has(receiver) || slow.some((post) => post.receiver === receiver)
    },
    begin(workspaceId, receiver) {
      const posts = begun.get(workspaceId) ?? new Set()
      const post = { receiver, ms: clock.monotonicMs() }
      begun.set(workspaceId, posts.add(post))
      return () => {
        posts.delete(post)
        if (posts.size === 0) begun.delete(workspaceId)
        quick.delete(receiver)
        if (quick.size >= quickMax) quick.clear()
        if (!isSlow(post)) quick.add(receiver)
      }
    },
  }
}
