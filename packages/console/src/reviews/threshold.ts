import type { ReviewSetting } from '@skillrun/client/openapi.ts'
import { type Asked, isJsonObject } from '../wire.ts'

/** Where nobody has set anything: below this confidence a person should look at a value. */
export const thresholdDefault = 0.8

interface Ruled {
  readonly config?: Asked['config'] | undefined
  readonly skills?: readonly { readonly name: string }[] | undefined
}

/** The confidence below which a value needs a look: as the request says, else the setting of its skill, else of the workspace. */
export function thresholdOf({ config, skills = [] }: Ruled, settings: readonly ReviewSetting[]): number {
  const review = config?.['review']
  const asked = isJsonObject(review) ? review['below'] : undefined
  if (typeof asked === 'number') return asked
  const ofSkill = settings.find(({ skill_name }) => skills.some(({ name }) => name === skill_name))
  return (ofSkill ?? settings.find(({ skill_name }) => skill_name === null))?.below ?? thresholdDefault
}
