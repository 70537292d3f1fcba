import type { ReviewSetting } from '@skillrun/client/openapi.ts'
import { useLoaded } from '../live.ts'

const none: readonly ReviewSetting[] = []

/** The review rules of the workspace and its skills; empty until loaded. */
export const useReviewSettings = (): readonly ReviewSetting[] =>
  useLoaded<readonly ReviewSetting[]>('/v1/reviews/settings').data ?? none
