import type { ReviewSetting } from '@skillrun/client/openapi.ts'
import { type Asked, isJsonObject } from '../wire.ts'

/** Default threshold: values below this confidence need a check. */
export const thresholdDefault = 0.8

interface Ruled {
  readonly config?: Asked['config'] | undefined
  readonly skills?: readonly { readonly name: string }[] | undefined
}

/** The confidence threshold: from the request, or the skill's rule, or the workspace's. */
export function thresholdOf({ config, skills = [] }: Ruled, settings: readonly ReviewSetting[]): number {
  const review = config?.['review']
  const asked = isJsonObject(review) ? review['below'] : undefined
  if (typeof asked === 'number') return asked
  const ofSkill = settings.find(({ skill_name }) => skills.some(({ name }) => name === skill_name))
  return (ofSkill ?? settings.find(({ skill_name }) => skill_name === null))?.below ?? thresholdDefault
}
