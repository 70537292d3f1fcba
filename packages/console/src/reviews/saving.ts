import { SkillrunFailure } from '@skillrun/client/failure.ts'
import type { SavedReview } from '@skillrun/client/openapi.ts'
import { useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import type { Execution, JsonObject } from '../wire.ts'

/** Saves on top of the review that the person sees. False: it saves nothing, because another save runs. Throws SkillrunFailure. */
export type SaveReview = (body: JsonObject) => Promise<boolean>

/**
 * Saves reviews of an execution. `showsSave`: the record is loaded that has the person's own last save. `others`: what somebody else saved
 * meanwhile, so that the latest attempt was refused. `onConflict`: the record has to be loaded again.
 */
export function useSaving(
  { id, review }: Execution,
  onConflict: () => void,
): { readonly saveReview: SaveReview; readonly showsSave: boolean; readonly others: readonly SavedReview[] } {
  const at = `/v1/agent/executions/${encodeURIComponent(id)}`
  // The record that has the person's own last review may still be on its way.
  const [own, setOwn] = useState(0)
  const [others, setOthers] = useState<readonly SavedReview[]>([])
  const isSaving = useRef(false)
  const shown = review?.version ?? 0
  const showsSave = own <= shown
  const saveReview = async (body: JsonObject) => {
    if (isSaving.current) return false
    // Rows may be elsewhere by now. An end of the review names none.
    if (!showsSave && 'changes' in body) throw new Error('The answer does not show your last save yet. Save again.')
    const version = Math.max(own, shown)
    isSaving.current = true
    try {
      const headers = { 'If-Match': `"${version}"` }
      const saved = await call<Execution>(`${at}/review`, { method: 'POST', headers, body })
      setOwn(saved.review?.version ?? 0)
      setOthers([])
      return true
    } catch (error) {
      if (!(error instanceof SkillrunFailure) || error.status !== 409) throw error
      const all = await call<readonly SavedReview[]>(`${at}/reviews`)
      const newer = all.filter((one) => one.version > version)
      // A conflict of another kind, such as the claim of somebody else.
      if (newer.length === 0) throw error
      setOthers(newer)
      onConflict()
      throw new Error('The review was not saved: somebody else has saved one meanwhile.')
    } finally {
      isSaving.current = false
    }
  }
  return { saveReview, showsSave, others }
}
