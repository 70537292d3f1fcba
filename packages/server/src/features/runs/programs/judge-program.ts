import { comparePairs } from '../../../agent/compare-answers.ts'
import { linesJob } from '../../../agent/programs/lines.ts'
import { limits } from '../../../core/limits.ts'
import { documentExtract } from '../../../tools/document-extract/document-extract.ts'
import { documentTables } from '../../../tools/document-tables/document-tables.ts'
import { modelAsk } from '../../../tools/model-ask/model-ask.ts'
import { type Ending, findAsked, findExecution, listSteps, mayTrain, type Step } from '../../executions/executions.ts'
import {
  type Drifted,
  findShadowed,
  findWithheld,
  findWithholding,
  type Judge,
  type ShadowedRun,
  silentFields,
  type WithheldAnswer,
  whoseDrift,
  wrongFields,
} from '../../programs/programs.ts'
import type { EngineParts } from '../parts.ts'
import { packedOf, readInputs } from '../reading/read-inputs.ts'
import type { Run } from '../run-state.ts'

/** The verdict of an agent's answer on the program that answered the same request. */
export interface Shadowed {
  readonly executionId: string
  readonly programId: string
  readonly judge: Judge
  readonly fields: readonly string[]
  /** The fields of which the agent says nothing. */
  readonly silent: readonly string[]
  readonly drifted: Drifted
  /** Only for a withheld answer: what is new in the document. */
  readonly unseen?: readonly string[]
  /** The program had declined for new words: its answer counts for nothing, but if it is right it will know them. */
  readonly isNovel?: boolean
}

/** Tools that answer with the embedded engine. Which values of an answer rest on them is not known, so all of it counts as that engine's. */
const readingTools: ReadonlySet<string> = new Set([documentExtract.name, documentTables.name])

/** Whether a program that serves asked a model here; the programs of agents ask in later turns. */
const isQuestionOfProgram = ({ name, detail }: Step): boolean =>
  name === modelAsk.name && (detail as { readonly turn?: number }).turn === 0

type Given = Pick<WithheldAnswer, 'response' | 'evidence'>

/**
 * Compares an agent's answer with the program's: that of a shadow, or of a run whose program's answer was withheld. Undefined for other executions, and where
 * there is nothing to compare.
 */
export async function judgeProgramAnswer(parts: EngineParts, run: Run, ending: Ending): Promise<Shadowed | undefined> {
  const { workspaceId, id, shadowOf, request } = run.execution
  const { withheld, novel, programId } = run.fellBack ?? {}
  if (ending.status !== 'completed') return undefined
  const isOfReader = run.transcript.some(({ name }) => readingTools.has(name))
  const asked = shadowOf === null ? run.transcript : await listSteps(parts.db, { workspaceId, id: shadowOf })
  // A program asks the model that its agent would be.
  const engine = isOfReader || asked.some(isQuestionOfProgram) ? 'embedded' : answeringEngine(run)
  if (shadowOf !== null) {
    const found = await findShadowed(parts.db, { workspaceId, shadowId: id, engine })
    const given = found && (await answerOfProgram(parts, { workspaceId, ...found }))
    return given && judgedBy(parts, { run, ending, found, given })
  }
  // On the cheapest path several engines may have answered.
  const unused = withheld ?? (request.path || !mayTrain(request) ? undefined : novel)
  // Marks of sources would count as differences: a withheld answer is judged by a shadow then.
  if (!unused || !programId || request.grounded) return undefined
  const left = unused.left ?? []
  const found = await findWithholding(parts.db, { workspaceId, executionId: id, programId, engine, left })
  const judged = found && (await judgedBy(parts, { run, ending, found, given: unused }))
  // Made of words of the document, so it is kept only if executions may be learned from.
  return judged && { ...judged, unseen: mayTrain(request) ? unused.unseen : [], isNovel: !withheld }
}

/** What a program answered to an execution, given or withheld. */
async function answerOfProgram(
  { db }: Pick<EngineParts, 'db'>,
  { workspaceId, executionId, isWithheld }: { workspaceId: string; executionId: string; isWithheld: boolean },
): Promise<Given | undefined> {
  if (isWithheld) return findWithheld(db, { workspaceId, executionId })
  const place = { workspaceId, id: executionId }
  const [asked, served] = [await findAsked(db, place), await findExecution(db, place)]
  return asked && served && { response: asked.response, evidence: served.evidence ?? {} }
}

async function judgedBy(
  parts: EngineParts,
  of: { run: Run; ending: Ending; found: ShadowedRun; given: Given },
): Promise<Shadowed | undefined> {
  const { run, ending, found, given } = of
  const { executionId, programId, judge, left, typical, accepted } = found
  const pairs = [[ending.response, given.response]] as const
  const [compared] = await comparePairs(parts.processPool, pairs, { tooLarge: 'empty', signal: run.signal })
  if (!compared) return undefined
  const fields = wrongFields(compared, 'agent', left)
  // What it agrees with proves nothing of the values that it has not found.
  const silent = silentFields(compared, left)
  const by = fields.length === 0 && silent.length > 0 ? 'same_engine' : judge
  const judged = { executionId, programId, judge: by, fields, silent, drifted: 'program' as const }
  if (fields.length === 0 || !typical) return judged
  const parsedInputs = await readInputs(parts, run)
  const documents = packedOf(parsedInputs)
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal: run.signal }
  const lines = await parts.processPool.run(linesJob, { documents }, terms)
  const evidence = { program: given.evidence, judge: ending.evidence ?? {} }
  return { ...judged, drifted: whoseDrift({ typical, accepted, lines, fields, ...evidence }) }
}

/** The last model that was asked, `provider/model`; the embedded engine if none was. */
export const answeringEngine = ({ transcript }: Pick<Run, 'transcript'>): string =>
  transcript.findLast((step) => step.kind === 'model')?.name ?? 'embedded'
