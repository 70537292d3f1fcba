import { useState } from 'preact/hooks'
import { wordsOf } from './api.ts'

/** What a person asked for, and why the latest attempt failed; empty while it has not. */
export function useAttempt() {
  const [failure, setFailure] = useState('')
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      setFailure('')
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }
  return { failure, setFailure, attempt }
}
