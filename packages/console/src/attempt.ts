import { useState } from 'preact/hooks'
import { wordsOf } from './api.ts'

/** Runs what a person asked for. `failure` says why the latest attempt failed; empty while none has. */
export function useAttempt() {
  const [failure, setFailure] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true)
    try {
      await work()
      setFailure('')
    } catch (error) {
      setFailure(wordsOf(error))
    }
    setIsBusy(false)
  }
  return { failure, isBusy, attempt }
}
