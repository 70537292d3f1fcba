import type { Job } from '@skillrun/core/job.ts'
import type { Json } from '@skillrun/core/json.ts'

/** The JSON Pointers at which an agent's answer says otherwise than a program's, compared in the workshop: answers may be long. */
export const disagreementsJob: Job<{ agent: Json; program: Json }, string[]> = {
  name: 'disagreements',
  module: new URL('./disagreements.job.ts', import.meta.url),
}
