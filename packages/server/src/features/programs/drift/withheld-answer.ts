import { asJson, type Json } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { z } from 'zod'
import type { Sql } from '../../../adapters/db/db.ts'
import { anyJson, listSteps } from '../../executions/executions.ts'

/** The name of a program's run, in the transcript and in prices. */
export const programStep = 'program'

/** An answer of a program that nobody got, as the transcript keeps it. */
export interface WithheldAnswer {
  readonly response: Json
  readonly evidence: EvidenceMap
  readonly ms: number
  /** Fields that the answer lacks, because the program left them to an agent. */
  readonly left?: readonly string[] | undefined
  /** What is new in the document. */
  readonly unseen: readonly string[]
}

export const withheldAnswer: z.ZodType<WithheldAnswer> = z.looseObject({
  response: anyJson,
  evidence: z.custom<EvidenceMap>((value) => value !== null && typeof value === 'object'),
  ms: z.number(),
  left: z.array(z.string()).optional(),
  unseen: z.array(z.string()),
})

const stepResult = z.looseObject({ withheld: withheldAnswer.optional() })

/** The answer of a program to an execution that an agent answered instead; undefined where the transcript has none any more. */
export async function findWithheld(
  sql: Sql,
  of: { workspaceId: string; executionId: string },
): Promise<WithheldAnswer | undefined> {
  const steps = await listSteps(sql, { workspaceId: of.workspaceId, id: of.executionId })
  const step = steps.find(({ kind, name }) => kind === 'tool' && name === programStep)
  return step && stepResult.safeParse(asJson(step.result)).data?.withheld
}
