import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { contentsOfInputs, listKnownCases, makeCopyFinder } from '../evaluations/evaluations.ts'
import { type Asked, findAsked } from '../executions/executions.ts'
import type { SkillVersion } from '../skills/skills.ts'
import type { CompileFrom } from './store.ts'

/** A case: inputs as in a body of POST /v1/agent/execute, and the correct answer. */
export interface KnownAnswer {
  readonly inputs: JsonObject
  readonly pageIndices: readonly number[] | null
  /** The schema of its own request; null: that of the skill. */
  readonly schema: JsonSchema | null
  /** The prompt beside the skill; empty: none. */
  readonly prompt: string
  readonly answer: Json
  /** The engine whose answer it is where nobody gave or reviewed another; null: a program's, or unknown. Absent: somebody did. */
  readonly answeredBy?: string | null
}

/** Most cases that a program is written from and proved on: the newest. */
export const knownAnswersMax = 100

/**
 * The cases of a skill: those asked for, or all, or both. Leaves out ids that the workspace does not have, cases whose inputs are files of the
 * skill's bundle, and copies: who learned from one would know the other.
 */
export async function knownAnswers(
  sql: Sql,
  of: { workspaceId: string; version: SkillVersion; from: CompileFrom; withAllCases: boolean },
): Promise<KnownAnswer[]> {
  const { executionIds, caseIds } = of.from
  const takesCases = of.withAllCases || caseIds !== null || executionIds === null
  const cases = takesCases ? await listKnownCases({ db: sql }, of) : []
  const wanted = caseIds && !of.withAllCases ? new Set(caseIds) : undefined
  const executions = await Promise.all(
    (executionIds ?? []).map((id) => findAsked(sql, { workspaceId: of.workspaceId, id })),
  )
  const answered = executions.flatMap((one) =>
    one?.status === 'completed'
      ? [{ ...knownOf(one.inputs, one.config, one.reviewedResponse ?? one.response), ...unchecked(one) }]
      : [],
  )
  const chosen: KnownAnswer[] = []
  for (const { id, inputs, config, response, executionId } of cases) {
    if (!(wanted?.has(id) ?? true) || hasBundleFile(inputs)) continue
    const asked =
      executionId === null ? undefined : await findAsked(sql, { workspaceId: of.workspaceId, id: executionId })
    const by = executionId === null || (asked && !isDeepStrictEqual(asked.response, response)) ? {} : unchecked(asked)
    chosen.push({ ...knownOf(inputs, config, response), ...by })
  }
  const isCopy = makeCopyFinder()
  const known: KnownAnswer[] = []
  for (const one of [...answered, ...chosen.toReversed()]) {
    if (known.length === knownAnswersMax) break
    const { inputs, schema, prompt, pageIndices } = one
    const config = { schema, prompt, pageIndices }
    if (!(await isCopy({ config }, await contentsOfInputs(sql, inputs, of)))) known.push(one)
  }
  return known
}

const unchecked = (asked: Asked | undefined): Pick<KnownAnswer, 'answeredBy'> =>
  asked?.isReviewed ? {} : { answeredBy: asked?.answeredBy ?? null }

const knownOf = (inputs: JsonObject, config: JsonObject, answer: Json): KnownAnswer => ({
  inputs,
  pageIndices: Array.isArray(config['page_indices']) ? config['page_indices'].map(Number) : null,
  schema: isJsonObject(config['json_schema']) ? config['json_schema'] : null,
  prompt: typeof config['prompt'] === 'string' ? config['prompt'].trim() : '',
  answer,
})

/** The most frequent prompt of these cases: a program answers one prompt. */
export const promptOf = (known: readonly KnownAnswer[]): string =>
  [...Map.groupBy(known, ({ prompt }) => prompt)].reduce<readonly [string, readonly KnownAnswer[]]>(
    (most, one) => (one[1].length > most[1].length ? one : most),
    ['', []],
  )[0]

function hasBundleFile(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasBundleFile)
  return isJsonObject(value) && (value['type'] === 'bundle_file' || Object.values(value).some(hasBundleFile))
}
