import type { Skill } from '@skillrun/client/openapi.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Client } from './client.ts'

/** Finds a skill by id, or by name with an optional version. */
export const findSkill = (client: Client, reference: string): Promise<Skill> =>
  isId(reference.toLowerCase()) ? client.skills.get(reference) : client.skills.lookup({ name: reference })
