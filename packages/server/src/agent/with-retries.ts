import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { type Model, type ModelRequest, ProviderLimited } from '../adapters/models/model.ts'

/** How often and how long a call is tried again. */
export interface RetryTerms {
  readonly attemptsMax: number
  /** From the first call on; a wait that would end after it is not begun. */
  readonly budgetMs: number
  /** The first wait; each later one is at most twice as long. */
  readonly firstWaitMs: number
}

export interface RetryParts {
  readonly clock: Clock
  /** 0 up to 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Waits by the machine's own clock. Throws the signal's reason. */
export async function waitMs(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/**
 * The model, asked again after failures that may pass (limits, outages, time-outs): after the wait that the provider named,
 * else after one drawn from half to all of a time that doubles, so that many do not come back at once. Once a piece of the
 * answer was heard it is not begun again: what was said cannot be taken back. A provider that has no room for flex is asked
 * without it the next time: what was accepted is answered.
 */
export function withRetries(model: Model, parts: RetryParts, terms: RetryTerms): Model {
  return {
    name: model.name,
    async reply(request, signal, hear) {
      let isHeard = false
      const heard =
        hear &&
        ((piece: string) => {
          isHeard = true
          hear(piece)
        })
      const startMs = parts.clock.monotonicMs()
      let asked = request
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await model.reply(asked, signal, heard)
        } catch (error) {
          if (
            !(error instanceof Fault) ||
            !error.retryable ||
            isHeard ||
            signal.aborted ||
            attempt >= terms.attemptsMax
          )
            throw error
          if (error instanceof ProviderLimited && asked.tier === 'flex') asked = withoutTier(asked)
          const drawnMs = terms.firstWaitMs * 2 ** (attempt - 1) * (0.5 + parts.random() / 2)
          const waitMs = error instanceof ProviderLimited && error.afterMs !== null ? error.afterMs : drawnMs
          if (parts.clock.monotonicMs() - startMs + waitMs > terms.budgetMs) throw error
          await parts.wait(waitMs, signal)
        }
      }
    },
  }
}

function withoutTier({ tier: _flex, ...request }: ModelRequest): ModelRequest {
  return request
}
