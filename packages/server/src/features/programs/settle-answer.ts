import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { DocumentLine } from '../../agent/programs/candidates.ts'
import { wordsOfLines } from '../../agent/programs/plain-words.ts'
import { settleJob } from '../../agent/programs/settle.ts'
import { surelyHolds } from '../../agent/schema/plain-schema.ts'
import { isSmallJson, jsonText } from '../../core/json-pieces.ts'
import { limits } from '../../core/limits.ts'
import { citedEvidence, leavesOf, unfound } from './evidence.ts'
import { doubtOf, type Guard, type Objection } from './guard.ts'
import type { ProgramDocument } from './host.ts'
import type { ProgramInput, SourceParts, SourceResult } from './run-source.ts'

/** The checks of a program's answer: evidence of its values, and the first violation of the schema. */
export interface Settling {
  readonly evidence: EvidenceMap
  readonly problem: string | undefined
  /** Of the documents, see `wordsOfLines`. */
  readonly words: ReadonlySet<string> | null
  /** The guard's objection to the answer, see `doubtOf`. */
  readonly doubt: Objection | undefined
}

/** An answer to check, with everything that the child process needs for it. */
export interface LargeAnswer {
  /** The answer as JSON text. */
  readonly json: string
  readonly schema: JsonSchema | null
  readonly documents: readonly { readonly input: string; readonly packed: Uint8Array }[]
  readonly values: Readonly<Record<string, Json>>
  readonly cites: ReadonlyMap<string, Json>
  readonly lines: readonly DocumentLine[] | null
  /** Words of the documents; undefined: not computed yet. */
  readonly words: readonly string[] | null | undefined
  readonly guard: Guard | null
  readonly accepted: readonly string[]
  readonly left: readonly string[]
}

/** `Settling` as JSON. */
export interface SettledLargeAnswer {
  readonly evidence: EvidenceMap
  readonly problem: string | null
  readonly words: readonly string[] | null
  readonly doubt: Objection | null
}

/** Runs `settleAnswer` in a child process: thousands of values would block the server. */
const settleLargeAnswerJob: Job<LargeAnswer, SettledLargeAnswer> = {
  name: 'settle-large-answer',
  givesJson: true,
  module: new URL('./settle-large-answer.job.ts', import.meta.url),
}

/** Checks an answer: valid citations count, other values are searched in the inputs. With a guard, also whether the guard accepts it. */
export async function settleAnswer(
  { processPool }: Pick<SourceParts, 'processPool'>,
  of: {
    known: Pick<ProgramInput, 'documents' | 'values'>
    result: Pick<SourceResult, 'value' | 'cites' | 'lines'>
    schema: JsonSchema | null
    guard?: Guard | null
    /** Words that the guard knows besides, see `noveltyOf`. */
    accepted?: readonly string[]
    /** Fields that the answer leaves to an agent, and lacks. */
    left?: readonly string[]
  },
  signal: AbortSignal,
): Promise<Settling> {
  const { known, result, schema, guard = null, accepted = [], left = [] } = of
  const documents = known.documents.map(({ input, packed }) => ({ input, packed }))
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal }
  const wordsAtHand = knownWords(known.documents)
  if (!isSmallJson(result.value)) {
    const { values } = known
    const { cites, lines } = result
    const json = await jsonText(result.value)
    const request = { json, schema, documents, values, cites, lines, words: wordsAtHand, guard, accepted, left }
    const { evidence, problem, words, doubt } = await processPool.run(settleLargeAnswerJob, request, terms)
    return { evidence, problem: problem ?? undefined, words: setOf(words), doubt: doubt ?? undefined }
  }
  // Only places that the program was given can be cited.
  const cited = citedEvidence(result.value, result.cites, result.lines ?? [])
  const leaves = leavesOf(result.value)
  const isCited = leaves.every(({ pointer, value }) => value === null || cited[pointer] !== undefined)
  const source = isCited ? null : { documents, values: known.values }
  const wordsOf = result.lines === null && documents.length > 0 && wordsAtHand === undefined ? documents : null
  const isHolding = schema === null || surelyHolds(schema, result.value)
  const isSettled = isCited && isHolding && wordsOf === null
  const found = isSettled
    ? { problems: [], evidence: null, words: null }
    : await processPool.run(settleJob, { json: await jsonText(result.value), schema, source, wordsOf }, terms)
  const evidence = { ...(found.evidence ?? unfound(leaves)), ...cited }
  const words = result.lines === null ? setOf(wordsAtHand ?? found.words) : wordsOfLines(result.lines)
  return {
    evidence,
    problem: violation(found.problems),
    words,
    doubt: guard ? doubtOf(guard, { words, accepted, answer: result.value, evidence, left }) : undefined,
  }
}

/** The first violation of a schema, as part of a sentence. */
export const violation = ([first]: readonly { readonly pointer: string; readonly message: string }[]):
  | string
  | undefined => first && `its answer violates the schema: ${first.pointer || 'the answer'} ${first.message}`

const setOf = (words: readonly string[] | null): ReadonlySet<string> | null => words && new Set(words)

/** The words of documents if known for all; undefined otherwise. */
function knownWords(documents: readonly ProgramDocument[]): readonly string[] | null | undefined {
  const all = documents.map(({ words }) => words)
  if (all.length === 0 || all.includes(undefined)) return undefined
  const there = all.filter((words) => words !== null && words !== undefined)
  return there.length === 0 ? null : there.flat()
}
