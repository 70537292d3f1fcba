import type { Clock } from '@skillrun/core/clock.ts'
import { limits } from '../../core/limits.ts'

/** The posts that a process has under way, by workspace. */
export interface UnderWay {
  /** Whether receivers of this workspace hold all the slots that they may. */
  isFull(workspaceId: string): boolean
  /** A post begins; it ends with the returned function. */
  begin(workspaceId: string): () => void
}

/**
 * Keeps slow receivers of one workspace, however many there are of them, from taking every slot: a post counts once it is older than
 * `limits.callbackSlowMs`, so that quick receivers never wait for it. All of one workspace have most of the slots, and not all.
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
