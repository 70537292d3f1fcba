import { limits } from '../../../core/limits.ts'

/** Calls `look` every `limits.sweepMs`, never twice at once, until the returned function is called, which waits for the last call. */
export function sweep(look: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look()
      .catch(onFailure)
      .finally(() => {
        looking = undefined
      })
  }, limits.sweepMs)
  return async () => {
    clearInterval(timer)
    await looking
  }
}
