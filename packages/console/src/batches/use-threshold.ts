import { useLoaded } from '../live.ts'
import { thresholdOf } from '../reviews/threshold.ts'
import { useReviewSettings } from '../reviews/use-review-settings.ts'
import type { Asked, Execution } from '../wire.ts'
import { type BatchItem, batchPath } from './wire.ts'

/** The confidence threshold of a batch, which all its executions share. */
export function useThreshold(batchId: string): number {
  const settings = useReviewSettings()
  const items = useLoaded<readonly BatchItem[]>(batchPath(batchId, '/items?limit=1'))
  const id = items.data?.[0]?.execution_id
  const at = id ? `/v1/agent/executions/${encodeURIComponent(id)}` : null
  const execution = useLoaded<Execution>(at)
  const asked = useLoaded<Asked>(at && `${at}/request`)
  return thresholdOf({ config: asked.data?.config, skills: execution.data?.skills }, settings)
}
