import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import { checkInputs, findAsked, shapingConfig } from '../executions/executions.ts'
import { loadSkill, type SkillVersion } from '../skills/skills.ts'
import { type ListedCase, listKnownCases } from './known-cases.ts'
import { countCases, deleteCase, deleteCasesOf, insertCase, type SkillPlace, type StoredCase } from './store.ts'

export interface CaseParts {
  readonly db: Db
  readonly clock: Clock
  readonly onCase: OnCase
}

/** What to do for the programs of a skill when a case is added. */
export interface OnCase {
  /**
   * The fields that a program answered wrongly, judged by the correct response (null: that of a review); undefined if no program
   * answered, nobody gave or reviewed a response, or the two are too large to compare. Takes up to seconds, so call it before the
   * transaction.
   */
  compare(
    sql: Sql,
    of: { workspaceId: string; executionId: string; response: Json; signal: AbortSignal },
  ): Promise<readonly string[] | undefined>
  /** Runs in the transaction that adds the case. */
  add(tx: Sql, added: AddedCase): Promise<void>
}

/** A case that was just added. */
export interface AddedCase extends SkillPlace {
  /** The execution that it corrects or confirms. */
  readonly executionId: string | null
  /** The result of `compare` for that execution. */
  readonly wrong: readonly string[] | undefined
  readonly now: Date
}

/** A new case: inputs with the correct response, or an execution whose response is correct or corrected here. */
export interface GivenCase {
  readonly inputs?: Readonly<Record<string, unknown>> | null | undefined
  readonly prompt?: string | null | undefined
  readonly execution_id?: string | null | undefined
  readonly response?: unknown
}

/** The skill that holds the cases of a version. */
export const placeOf = (version: SkillVersion, workspaceId: string): SkillPlace => ({
  workspaceId,
  ownerId: version.workspaceId,
  name: version.name,
})

/**
 * Adds cases to the skill of a version, all or none. Throws Faults `missing` (skill, execution, file) and `too_large`, and
 * ValidationFailures at `body`, `cases` and their place.
 */
export async function addCases(
  parts: CaseParts,
  of: { workspaceId: string; keyId: string; id: string; cases: readonly GivenCase[]; signal: AbortSignal },
): Promise<readonly ListedCase[]> {
  const { db, clock } = parts
  const { workspaceId } = of
  const version = await loadSkill(parts, of)
  const place = placeOf(version, workspaceId)
  const now = clock.now()
  const wrong = await wrongIn(parts, of)
  return db.transaction(async (tx) => {
    if ((await countCases(tx, place)) + of.cases.length > limits.skillCasesMax) throw tooManyCases()
    const added: ListedCase[] = []
    for (const [at, given] of of.cases.entries()) {
      const known: StoredCase = { id: newId(now), createdAt: now, ...(await readCase(tx, { workspaceId, given, at })) }
      await insertCase(tx, place, known)
      const action = 'case.create' as const
      await recordAction(tx, { ...audited(of, version), action, subjectId: known.id, now })
      await parts.onCase.add(tx, { ...place, executionId: known.executionId, wrong: wrong[at], now })
      added.push({ ...known, source: known.executionId === null ? 'added' : 'execution' })
    }
    return added
  })
}

const tooManyCases = (): Fault =>
  new Fault('too_large', 'too_many_cases', `A skill can have at most ${limits.skillCasesMax} cases`)

/**
 * Makes a reviewed execution a case of its skill, in the transaction that saves the review; replaces an earlier case of the same execution.
 * False: the skill is deleted or has the maximum of cases.
 */
export async function addReviewedCase(
  tx: Sql,
  of: { workspaceId: string; keyId: string; skillId: string; executionId: string; response: Json; now: Date },
  onCase: Pick<OnCase, 'add'>,
): Promise<boolean> {
  const { workspaceId, executionId, response, now } = of
  const version = await loadSkill({ db: tx }, { workspaceId, id: of.skillId }).catch(() => undefined)
  if (!version) return false
  const place = placeOf(version, workspaceId)
  await deleteCasesOf(tx, place, executionId)
  if ((await countCases(tx, place)) >= limits.skillCasesMax) return false
  const given = { execution_id: executionId, response }
  const known: StoredCase = { id: newId(now), createdAt: now, ...(await readCase(tx, { workspaceId, given, at: 0 })) }
  await insertCase(tx, place, known)
  await recordAction(tx, { ...audited(of, version), action: 'case.create', subjectId: known.id, now })
  await onCase.add(tx, { ...place, executionId, wrong: undefined, now })
  return true
}

/** Per case, the fields that a program answered wrongly; none for a case without an execution. */
async function wrongIn(
  { db, onCase }: CaseParts,
  { workspaceId, cases, signal }: { workspaceId: string; cases: readonly GivenCase[]; signal: AbortSignal },
): Promise<readonly (readonly string[] | undefined)[]> {
  const found: (readonly string[] | undefined)[] = []
  for (const { execution_id: executionId, response = null } of cases)
    found.push(
      executionId ? await onCase.compare(db, { workspaceId, executionId, response: response as Json, signal }) : [],
    )
  return found
}

const audited = ({ workspaceId, keyId }: { workspaceId: string; keyId: string }, { id, name }: SkillVersion) => ({
  workspaceId,
  keyId,
  detail: { skill: name, skill_id: id },
})

type ReadCase = Omit<StoredCase, 'id' | 'createdAt'>

async function readCase(tx: Sql, of: { workspaceId: string; given: GivenCase; at: number }): Promise<ReadCase> {
  const { given, at } = of
  const loc = ['body', 'cases', at]
  if (given.execution_id && given.inputs)
    throw invalid(loc, 'Give inputs or execution_id, not both', { type: 'case_ambiguous' })
  if (given.execution_id) return caseOfExecution(tx, { ...of, id: given.execution_id })
  if (!given.inputs)
    throw invalid([...loc, 'inputs'], 'A case needs inputs with their correct response, or an execution_id', {
      type: 'missing',
    })
  if (given.response === undefined || given.response === null)
    throw invalid([...loc, 'response'], 'A case with inputs needs the correct response for them', { type: 'missing' })
  const inputs = given.inputs as JsonObject
  await refusedAtCase(checkInputs(tx, { workspaceId: of.workspaceId, inputs }), at)
  return {
    inputs,
    config: given.prompt ? { prompt: given.prompt } : {},
    response: given.response as Json,
    executionId: null,
  }
}

/** Maps failures in the inputs of a case to its place. */
async function refusedAtCase(work: Promise<void>, at: number): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault && error.code === 'unknown_file')
      throw new Fault(error.kind, error.code, `cases.${at}.${error.message}`)
    if (!(error instanceof ValidationFailure)) throw error
    const loc = ['body', 'cases', at]
    throw new ValidationFailure(error.details.map((one) => ({ ...one, loc: [...loc, ...one.loc.slice(1)] })))
  }
}

async function caseOfExecution(
  tx: Sql,
  of: { workspaceId: string; given: GivenCase; at: number; id: string },
): Promise<ReadCase> {
  const asked = await findAsked(tx, of)
  if (!asked)
    throw new Fault(
      'missing',
      'unknown_execution',
      `cases.${of.at}.execution_id: this workspace has no execution with this id`,
    )
  if (Object.keys(asked.inputs).length === 0 && asked.config['prompt'] === undefined)
    throw invalid(['body', 'cases', of.at, 'execution_id'], 'The request of this execution was not retained', {
      type: 'not_retained',
    })
  const corrected = (of.given.response ?? null) as Json
  const response = corrected ?? asked.reviewedResponse ?? (asked.status === 'completed' ? asked.response : null)
  if (response === null)
    throw invalid(
      ['body', 'cases', of.at, 'response'],
      `The execution is ${asked.status} and has no response; give the correct response`,
      { type: 'missing' },
    )
  const prompt = of.given.prompt ?? asked.config['prompt']
  const { prompt: _prompt, ...rest } = shapingConfig(asked.config)
  return {
    inputs: asked.inputs,
    config: { ...(prompt === undefined || prompt === '' ? {} : { prompt }), ...rest },
    response,
    executionId: of.id.toLowerCase(),
  }
}

/** The cases of the skill of a version, with those in that version's bundle. Fault `missing`. */
export async function listCases(
  parts: Pick<CaseParts, 'db'>,
  of: { workspaceId: string; id: string },
): Promise<readonly ListedCase[]> {
  const version = await loadSkill(parts, of)
  return listKnownCases(parts, { workspaceId: of.workspaceId, version })
}

/** Deletes a case and returns it. Faults `missing`, and `conflict` for a case in the bundle. */
export async function removeCase(
  parts: Pick<CaseParts, 'db' | 'clock'>,
  of: { workspaceId: string; keyId: string; id: string; caseId: string },
): Promise<ListedCase> {
  const version = await loadSkill(parts, of)
  const caseId = of.caseId.toLowerCase()
  const removed = isId(caseId)
    ? await parts.db.transaction(async (tx) => {
        const gone = await deleteCase(tx, placeOf(version, of.workspaceId), caseId)
        const now = parts.clock.now()
        if (gone) await recordAction(tx, { ...audited(of, version), action: 'case.delete', subjectId: caseId, now })
        return gone
      })
    : undefined
  if (removed) return { ...removed, source: removed.executionId === null ? 'added' : 'execution' }
  if (/^evals-\d+$/.test(caseId))
    throw new Fault(
      'conflict',
      'case_of_bundle',
      'This case comes from evals/evals.json of the skill version; create a version without it',
    )
  throw new Fault('missing', 'unknown_case', 'This skill has no case with this id')
}
