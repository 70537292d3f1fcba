import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import type { Execution, JsonObject } from '../wire.ts'

/** Saves on top of the review that the person sees. Throws SkillrunFailure. */
export type SaveReview = (body: JsonObject) => Promise<void>

/** Saves reviews of an execution. */
export function useSaving({ id, review }: Execution): SaveReview {
  // The record that has the person's own last review may still be on its way.
  const [own, setOwn] = useState(0)
  return async (body) => {
    const version = Math.max(own, review?.version ?? 0)
    const saved = await call<Execution>(`/v1/agent/executions/${encodeURIComponent(id)}/review`, {
      method: 'POST',
      headers: { 'If-Match': `"${version}"` },
      body,
    })
    setOwn(saved.review?.version ?? 0)
  }
}
