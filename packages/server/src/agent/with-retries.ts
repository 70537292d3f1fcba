import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { type Model, type ModelRequest, ProviderLimited } from '../adapters/models/model.ts'

/** Limits of retries. */
export interface RetryTerms {
  readonly attemptsMax: number
  /** Milliseconds from the first call; a wait that would end later is not started. */
  readonly budgetMs: number
  /** The first wait in milliseconds; each later one is at most twice as long. */
  readonly firstWaitMs: number
}

export interface RetryParts {
  readonly clock: Clock
  /** Random numbers from 0 to 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Waits on the machine's clock. Throws the signal's reason. */
export async function waitMs(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/**
 * Retries failed calls that may succeed later (rate limits, outages, timeouts): after the wait that the provider requested,
 * otherwise with exponential backoff and jitter. A call is not retried once text has been streamed, because it cannot be
 * taken back. After a rate limit, a flex request is retried without its tier.
 */
export function withRetries(model: Model, parts: RetryParts, terms: RetryTerms): Model {
  return {
    name: model.name,
    async reply(request, signal, onText) {
      let hasStreamed = false
      const streamed =
        onText &&
        ((delta: string) => {
          hasStreamed = true
          onText(delta)
        })
      let asked = request
      return retried(() => model.reply(asked, signal, streamed), {
        ...parts,
        ...terms,
        signal,
        mayRetry: (failure) => {
          if (failure instanceof ProviderLimited && asked.tier === 'flex') asked = withoutTier(asked)
          return !hasStreamed
        },
      })
    },
  }
}

/**
 * Calls a provider until a call succeeds, fails for good, or `mayRetry` of a passing failure is false; see `withRetries`. Throws the last
 * failure.
 */
export async function retried<T>(
  call: () => Promise<T>,
  terms: RetryParts & RetryTerms & { readonly signal: AbortSignal; readonly mayRetry?: (failure: Fault) => boolean },
): Promise<T> {
  const { clock, signal, mayRetry = () => true } = terms
  const startMs = clock.monotonicMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Fault) || !error.retryable || signal.aborted || attempt >= terms.attemptsMax) throw error
      if (!mayRetry(error)) throw error
      const drawnMs = terms.firstWaitMs * 2 ** (attempt - 1) * (0.5 + terms.random() / 2)
      const waitMs = error instanceof ProviderLimited && error.afterMs !== null ? error.afterMs : drawnMs
      if (clock.monotonicMs() - startMs + waitMs > terms.budgetMs) throw error
      await terms.wait(waitMs, signal)
    }
  }
}

function withoutTier({ tier: _flex, ...request }: ModelRequest): ModelRequest {
  return request
}
