import type { Clock } from '@skillrun/core/clock.ts'
import { limits } from '../../core/limits.ts'

/** Running POSTs of a process, by workspace. */
export interface UnderWay {
  /** Whether receivers of this workspace hold all slots that they may. */
  isFull(workspaceId: string): boolean
  /** Starts a POST; the returned function ends it. */
  begin(workspaceId: string): () => void
}

/**
 * Keeps slow receivers of one workspace from taking every slot: a POST counts once it is older than `limits.callbackSlowMs`, so quick
 * receivers never wait. One workspace may hold most slots, not all.
 */
export function makeUnderWay(clock: Pick<Clock, 'monotonicMs'>): UnderWay {
  const begunAt = new Map<string, Set<{ readonly ms: number }>>()
  return {
    isFull(workspaceId) {
      const nowMs = clock.monotonicMs()
      const posts = [...(begunAt.get(workspaceId) ?? [])]
      if (posts.length >= limits.callbackSlotsPerWorkspace) return true
      return posts.filter(({ ms }) => nowMs - ms > limits.callbackSlowMs).length >= limits.callbackSlowSlotsPerWorkspace
    },
    begin(workspaceId) {
      const posts = begunAt.get(workspaceId) ?? new Set()
      const post = { ms: clock.monotonicMs() }
      begunAt.set(workspaceId, posts.add(post))
      return () => {
        posts.delete(post)
        if (posts.size === 0) begunAt.delete(workspaceId)
      }
    },
  }
}
