import type { Json } from '@skillrun/core/json.ts'
import { compareAnswers } from '../compare-answers.ts'

/**
 * The fields in which an agent's answer says otherwise than a program's. Where the agent found nothing it says nothing
 * against a value that is there.
 */
export default function disagreements({ agent, program }: { agent: Json; program: Json }): string[] {
  return compareAnswers(agent, program)
    .fields.filter(({ agrees, expected, pointer }) => !agrees && expected !== null && !pointer.startsWith('+'))
    .map(({ pointer }) => pointer)
}
