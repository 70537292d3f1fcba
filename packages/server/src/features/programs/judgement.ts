import type { Sample } from '../../core/confidence-sequence.ts'

/**
 * What judges an answer of a program, the most independent of the program first: a person's review; a case with its known answer; a model other than
 * the program's author; the engine that wrote the program, or that it can call.
 */
export const judges = ['human', 'case', 'other_model', 'same_engine'] as const
export type Judge = (typeof judges)[number]

/** Checked answers of a program by judge, each counted once: under its most independent judge. */
export type Judgements = Readonly<Partial<Record<Judge, { readonly answers: number; readonly wrong: number }>>>

/** What an engine that wrote a program says of it is no evidence for it: both make the same mistakes. */
export const isIndependent = (judge: Judge): boolean => judge !== 'same_engine'

/** Whether a judgement takes the place of an earlier one of the same answer. */
export const outranks = (judge: Judge, earlier: Judge): boolean => judges.indexOf(judge) < judges.indexOf(earlier)

/** The judgements that a bound rests on. */
export function independentSample(judgements: Judgements): Sample {
  const counted = judges.filter(isIndependent).flatMap((judge) => judgements[judge] ?? [])
  return {
    k: counted.reduce((sum, { wrong }) => sum + wrong, 0),
    n: counted.reduce((sum, { answers }) => sum + answers, 0),
  }
}

/** Moves an answer from the judge that it was counted under, if any, to another. */
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
 * What a shadow run is as a judge. `writtenBy` and `engine`: `embedded` or `provider/model`; null: not known. Every program can call the embedded engine,
 * so that engine is no independent judge of any. The same model at another provider is the same model.
 */
export function judgeOfShadow(writtenBy: string | null, engine: string | null): Judge {
  if (writtenBy === null || engine === null || engine === 'embedded') return 'same_engine'
  return modelOf(writtenBy) === modelOf(engine) ? 'same_engine' : 'other_model'
}

const modelOf = (engine: string): string => engine.slice(engine.lastIndexOf('/') + 1).toLowerCase()
