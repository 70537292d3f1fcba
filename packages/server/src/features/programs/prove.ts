import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { readerVersion } from '@skillrun/reader/media/packed-document.ts'
import { ProgramFailed } from '../../adapters/sandbox/sandbox.ts'
import { comparePairs, fieldOf } from '../../agent/compare-answers.ts'
import { changeReadingJob } from '../../agent/programs/change-reading.ts'
import type { FieldReport } from '../../agent/programs/learn.ts'
import { fieldHolding, separateFields } from '../../agent/programs/separate-fields.ts'
import { jsonText } from '../../core/json-pieces.ts'
import { limits } from '../../core/limits.ts'
import { profileOf, typicalOf } from './drift/typical.ts'
import { type AnswerPart, partOfAnswer } from './fields/part-of-answer.ts'
import {
  agreementCheck,
  agreementsOf,
  answeredShareMin,
  type Check,
  type FieldAgreement,
  type GateReport,
  weakFields,
} from './gate.ts'
import { type Guard, givenFields, groundedFields } from './guard.ts'
import type { KnownAnswer } from './known-answers.ts'
import { familiarOf } from './novelty.ts'
import { UnaskedQuestion } from './recorded-asks.ts'
import { type ProgramInput, runSource, type SourceParts, type SourceResult } from './run-source.ts'
import { settleAnswer } from './settle-answer.ts'
import { type CaseStudy, type StudiedCase, studyCaseJob } from './study-case.ts'

/** A case with its parsed inputs. */
export interface ReadCase extends ProgramInput, Pick<KnownAnswer, 'answer' | 'answeredBy'> {}

/** A program to prove. */
export interface ProgramTrial {
  readonly source: string
  readonly schema: JsonSchema | null
  readonly cases: readonly ReadCase[]
  readonly threshold: number
  /** A learner's results per field on examples that it had not learned from; absent for a program that was not learned. */
  readonly learned?: readonly FieldReport[]
}

/** The results of the gate. */
export interface Proof {
  readonly report: GateReport
  readonly guard: Guard
  readonly passed: boolean
}

/** Cases repeated with the same inputs, and with changed inputs. */
const againMax = 3

interface Ran {
  readonly known: ReadCase
  readonly result: SourceResult
  readonly study: NonNullable<CaseStudy['answer']>
  readonly words: ReadonlySet<string>
  readonly evidence: EvidenceMap
  /** What the program gave, and the fields that it left to an agent. */
  readonly part: AnswerPart
}

/** Runs a program through the gate: on every case from scratch, without a model. */
export async function prove(parts: SourceParts, trial: ProgramTrial, signal: AbortSignal): Promise<Proof> {
  const ran: Ran[] = []
  const failures: string[] = []
  const smuggled = new Set<string>()
  let [declined, unasked] = [0, 0]
  const study = async (known: ReadCase, answered: StudiedCase['answered']) => {
    const request = { source: trial.source, schema: trial.schema, known: await jsonText(known.answer), answered }
    const { smuggled: found, answer } = await parts.processPool.run(studyCaseJob, request, termsOf(signal))
    for (const field of found) smuggled.add(field)
    return answer
  }
  for (const known of trial.cases) {
    const result = await runOne(parts, { source: trial.source, ...known }, signal)
    const isAnswer = typeof result === 'object'
    const part = isAnswer ? partOfAnswer(result.value, trial.schema, unanswered(result)) : undefined
    const settled =
      isAnswer &&
      part &&
      (await settleAnswer(parts, { known, result: { ...result, value: part.value }, schema: part.schema }, signal))
    const isGood = settled && !settled.problem
    const answered = isGood ? { json: await jsonText(part.value), evidence: settled.evidence } : null
    const studied = await study(known, answered)
    if (result === undefined) unasked += 1
    else if (typeof result === 'string') failures.push(result)
    else if (!settled) declined += 1
    else if (settled.problem) failures.push(settled.problem)
    else if (studied) {
      const { words, evidence } = settled
      ran.push({ known, result, study: studied, words: words ?? new Set(), evidence, part })
    }
  }
  const pairs = ran.map(({ known, part }) => [known.answer, part.value] as const)
  const compared = await comparePairs(parts.processPool, pairs, { tooLarge: 'disagree', signal })
  const separate = separateFields(trial.schema)
  const answers = compared.map(({ fields }, n) => {
    const left = ran[n]?.part.left ?? []
    return fields.map((field) => ({ field, isLeft: fieldHolding(left, fieldOf(field)) !== undefined }))
  })
  const agreement = withLearned(agreementsOf(answers), trial.learned ?? [])
  const left = weakFields(agreement, trial.threshold, separate)
  const checks: Check[] = [
    runsCheck({ failures, declined, unasked, answered: ran.length }),
    await sameAnswerCheck(parts, { ran, source: trial.source }, signal),
    agreementCheck(agreement, trial.threshold, { separate, left }),
    literalsCheck([...smuggled]),
    await readsInputCheck(parts, { ran, left, trial }, signal),
  ]
  const profiles = ran.flatMap(({ result: { lines }, evidence }) =>
    lines ? [profileOf(lines, evidenceWithout(evidence, left))] : [],
  )
  const typical = profiles.length === ran.length ? typicalOf(profiles) : undefined
  const taughtBy = new Set(trial.cases.flatMap(({ answeredBy }) => (answeredBy === undefined ? [] : [answeredBy])))
  const guard = {
    reader: readerVersion,
    ...(taughtBy.size > 0 && { taughtBy: [...taughtBy] }),
    ...(left.length > 0 && { left }),
    ...(typical && { typical }),
    familiar: familiarOf(ran.map(({ words }) => words)),
    grounded: groundedFields(ran.map(({ study }) => study.grounding)),
    given: givenFields(ran.map(({ study, part }) => ({ given: study.given, left: [...part.left, ...left] }))),
  }
  const cases = { answered: ran.length, declined: declined + unasked, failed: failures.length }
  return {
    report: { checks, agreement, cases, threshold: trial.threshold, ...(left.length > 0 && { left }) },
    guard,
    passed: checks.every(({ passed }) => passed),
  }
}

/** What a program leaves to an agent in a run. */
const unanswered = ({ declined, guessed }: SourceResult): readonly string[] => [...(declined ?? []), ...guessed]

const termsOf = (signal: AbortSignal) => ({
  wallMs: limits.extractWallMs,
  memoryMb: limits.extractMemoryMb,
  signal,
})

/** The evidence of an answer without these of its fields. */
export const evidenceWithout = (evidence: EvidenceMap, left: readonly string[]): EvidenceMap =>
  left.length === 0
    ? evidence
    : Object.fromEntries(Object.entries(evidence).filter(([pointer]) => fieldHolding(left, pointer) === undefined))

const isSameJson = async (one: Json, other: Json): Promise<boolean> => (await jsonText(one)) === (await jsonText(other))

/** The result of a run from scratch, or why there is none; undefined if it asks a question that no model was asked. */
async function runOne(
  parts: SourceParts,
  run: ProgramInput & { readonly source: string },
  signal: AbortSignal,
): Promise<SourceResult | string | undefined> {
  try {
    return await runSource(parts, run, signal)
  } catch (error) {
    // The program's own errors count against it; those of the machine do not.
    if (error instanceof ProgramFailed) return error.message
    if (error instanceof UnaskedQuestion) return undefined
    throw error
  }
}

/** The results of a rule on unseen examples say more than those on the examples that it was made from. */
const withLearned = (fields: readonly FieldAgreement[], learned: readonly FieldReport[]): FieldAgreement[] =>
  fields.map((field) => {
    const seen = learned.find(({ pointer, by }) => pointer === field.pointer && by !== 'extract')
    return seen
      ? {
          pointer: field.pointer,
          agreed: seen.right,
          compared: seen.right + seen.wrong,
          ...(seen.none > 0 && { left: seen.none }),
        }
      : field
  })

function runsCheck(of: {
  failures: readonly string[]
  declined: number
  /** Cases that it can only answer with a model do not count, because the gate calls none. */
  unasked: number
  answered: number
}): Check {
  const all = of.answered + of.declined + of.failures.length
  const passed = of.failures.length === 0 && of.answered >= all * answeredShareMin && of.answered > 0
  const message =
    of.failures[0] === undefined
      ? `The program answered ${of.answered} of ${all} cases and declined ${of.declined}; it must answer ${answeredShareMin * 100} %${of.unasked > 0 ? `. ${of.unasked} more need an answer of a model, which the gate does not call` : ''}`
      : `The program failed on ${of.failures.length} of ${all} cases: ${of.failures[0]}`
  return { name: 'runs', passed, message }
}

async function sameAnswerCheck(
  parts: SourceParts,
  { ran, source }: { ran: readonly Ran[]; source: string },
  signal: AbortSignal,
): Promise<Check> {
  for (const { known, result } of ran.slice(0, againMax)) {
    const again = await runOne(parts, { ...known, source }, signal)
    const isSame = typeof again === 'object' && (await isSameJson(again.value, result.value))
    if (!isSame)
      return {
        name: 'same_answer',
        passed: false,
        message: 'Run again on the same inputs, the program gave a different answer',
      }
  }
  return {
    name: 'same_answer',
    passed: true,
    message: `Run again on the same inputs, the program gave the same answer ${Math.min(ran.length, againMax)} times`,
  }
}

const literalsCheck = (fields: readonly string[]): Check => ({
  name: 'no_literals',
  passed: fields.length === 0,
  message:
    fields.length === 0
      ? 'Its source contains no value of a known answer'
      : `Its source contains values of known answers: ${fields.join(', ')}`,
})

async function readsInputCheck(
  parts: SourceParts,
  { ran, left, trial }: { ran: readonly Ran[]; left: readonly string[]; trial: ProgramTrial },
  signal: AbortSignal,
): Promise<Check> {
  const { source, schema } = trial
  const given = (one: SourceResult) => partOfAnswer(one.value, schema, [...unanswered(one), ...left])
  const telling = ran.filter(({ known, study }) => known.documents.length > 0 && study.hasValue)
  for (const { known, result, study } of telling.slice(0, againMax)) {
    const how = study.hasDigits ? 'digits' : 'empty'
    const documents = await Promise.all(
      known.documents.map(async (document) => {
        return {
          ...document,
          firstPage: undefined,
          words: undefined,
          packed: await parts.processPool.run(changeReadingJob, { packed: document.packed, how }, termsOf(signal)),
        }
      }),
    )
    const changed = await runOne(parts, { documents, values: known.values, source }, signal)
    const [before, after] = [given(result), typeof changed === 'object' ? given(changed) : undefined]
    const isSame = before !== undefined && after !== undefined && (await isSameJson(after.value, before.value))
    if (isSame)
      return {
        name: 'reads_input',
        passed: false,
        message: 'Its answer stayed the same when every digit in its input was changed',
      }
  }
  const times = Math.min(telling.length, againMax)
  return {
    name: 'reads_input',
    passed: true,
    message: times === 0 ? 'There was no document to modify' : `Its answer changed with its input in ${times} tests`,
  }
}
