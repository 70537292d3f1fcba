import type { AnswerComparison } from '../../agent/compare-answers.ts'
import { fieldHolding } from '../../agent/programs/separate-fields.ts'
import type { Sample } from '../../core/confidence-sequence.ts'

/**
 * Judges of a program's answer, the most independent first: a person's review; a case; a model other than the program's author; the engine
 * that wrote the program, or that it can call.
 */
export const judges = ['human', 'case', 'other_model', 'same_engine'] as const
export type Judge = (typeof judges)[number]

/** Judged answers of a program by judge, each counted once, under its most independent judge. */
export type Judgements = Readonly<Partial<Record<Judge, { readonly answers: number; readonly wrong: number }>>>

/** The same for each field that a program answered, by JSON Pointer. */
export type FieldJudgements = Readonly<Record<string, Judgements>>

/** The engine that wrote a program is no evidence for it: both make the same mistakes. */
export const isIndependent = (judge: Judge): boolean => judge !== 'same_engine'

/** Whether a judgement replaces an earlier one of the same answer. */
export const outranks = (judge: Judge, earlier: Judge): boolean => judges.indexOf(judge) < judges.indexOf(earlier)

/** Whether a judge may take back what it said of an answer: people and known answers are corrected, a run of a model is not repeated. */
export const mayRevise = (judge: Judge): boolean => judge === 'human' || judge === 'case'

/** The judgements that count for a bound. */
export function independentSample(judgements: Judgements): Sample {
  const counted = judges.filter(isIndependent).flatMap((judge) => judgements[judge] ?? [])
  return {
    k: counted.reduce((sum, { wrong }) => sum + wrong, 0),
    n: counted.reduce((sum, { answers }) => sum + answers, 0),
  }
}

/** Moves an answer from its previous judge, if any, to another. */
export function withJudgement(
  judgements: Judgements,
  next: { judge: Judge; isWrong: boolean },
  earlier?: { judge: Judge; isWrong: boolean },
): Judgements {
  const add = (all: Judgements, { judge, isWrong }: { judge: Judge; isWrong: boolean }, by: 1 | -1): Judgements => {
    const { answers, wrong } = all[judge] ?? { answers: 0, wrong: 0 }
    return { ...all, [judge]: { answers: answers + by, wrong: wrong + (isWrong ? by : 0) } }
  }
  return add(earlier ? add(judgements, earlier, -1) : judgements, next, 1)
}

/**
 * The judge that a shadow run is. `makers`: the author of the program and the engines whose answers it learned. Engines are `embedded` or
 * `provider/model`; null: unknown. Every program can call the embedded engine, so that engine is never an independent judge. The same model
 * at another provider is the same model.
 */
export function judgeOfShadow(makers: readonly (string | null)[], engine: string | null): Judge {
  if (engine === null || engine === 'embedded') return 'same_engine'
  return makers.some((maker) => maker === null || modelOf(maker) === modelOf(engine)) ? 'same_engine' : 'other_model'
}

const modelOf = (engine: string): string => engine.slice(engine.lastIndexOf('/') + 1).toLowerCase()

/**
 * The wrong fields of a program's answer, compared with another answer, without those that it left to an agent. An agent that found nothing
 * says nothing against a value of the program. A person's answer is complete: a field that it leaves out or sets to null has no value.
 */
export const wrongFields = (
  { fields }: AnswerComparison,
  by: 'agent' | 'person',
  left: readonly string[] = [],
): string[] =>
  fields
    .filter(({ agrees, expected }) => !agrees && (by === 'person' || expected !== null))
    .map(({ pointer }) => pointer.replace(/^\+/, ''))
    .filter((pointer) => fieldHolding(left, pointer) === undefined)

/** The fields in which the program has a value and an agent's answer has none: it says nothing of these. */
export const silentFields = ({ fields }: AnswerComparison, left: readonly string[]): string[] =>
  fields
    .filter(({ agrees, expected }) => !agrees && expected === null)
    .map(({ pointer }) => pointer.replace(/^\+/, ''))
    .filter((pointer) => fieldHolding(left, pointer) === undefined)
