import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { DocumentLine } from '../../../agent/programs/candidates.ts'
import { isInDoubt, type Recent } from '../../../core/demotion.ts'
import type { Judge } from '../judgement.ts'
import { isStrange, profileOf, type Surprise, surpriseOf, type Typical } from './typical.ts'

/** Who may have drifted: the documents away from the program, or the judge away from the answers that were right before. */
export type Drifted = 'program' | 'judge'

/** Disagreements since the program came into doubt, by who seems to have drifted. */
export interface Drift {
  readonly program: number
  readonly judge: number
  readonly since: string
  /** Fields of the latest disagreement. */
  readonly fields: readonly string[]
}

/** Disagreements after which a judge is held to have drifted: one may be a mistake. */
const judgeDriftMin = 2

export const whoDrifted = ({ program, judge }: Drift): Drifted =>
  judge >= judgeDriftMin && judge > program ? 'judge' : 'program'

/** The drift after a judgement; null once the program is out of doubt. */
export function driftAfter(
  earlier: Drift | null,
  of: { readonly fields: readonly string[]; readonly drifted: Drifted; readonly now: Date },
  recent: Recent,
): Drift | null {
  if (of.fields.length === 0) return isInDoubt(recent) ? earlier : null
  const { program = 0, judge = 0, since = of.now.toISOString() } = earlier ?? {}
  return {
    program: program + (of.drifted === 'program' ? 1 : 0),
    judge: judge + (of.drifted === 'judge' ? 1 : 0),
    since,
    fields: of.fields,
  }
}

/** Likelier by so much than a coincidence: a judge whose answers have such unusual roles has drifted. */
const judgeLeadMin = Math.log(10)

/**
 * Who drifted where a judge disagrees with a program. On a document that is strange to the program, the documents have changed. On one like those that it was
 * tested on, the roles of both answers are compared: the judge has drifted if its values stand where right ones never stood, and those of the program where they did.
 */
export function whoseDrift(of: {
  readonly typical: Typical | undefined
  readonly accepted: readonly string[]
  readonly lines: readonly DocumentLine[]
  readonly fields: readonly string[]
  readonly program: EvidenceMap
  readonly judge: EvidenceMap
}): Drifted {
  const { typical, accepted, lines, fields } = of
  if (!typical) return 'program'
  const byProgram = surpriseOf(profileOf(lines, of.program), typical, accepted)
  if (isStrange(byProgram, typical)) return 'program'
  const byJudge = surpriseOf(profileOf(lines, of.judge), typical, accepted)
  const sumOf = ({ bySubject }: Surprise) => fields.reduce((sum, field) => sum + (bySubject.get(field) ?? 0), 0)
  return sumOf(byJudge) >= sumOf(byProgram) + judgeLeadMin ? 'judge' : 'program'
}

/** Why a program's answer is withheld, as part of a sentence, and what is new in the document. */
export interface Withheld {
  readonly because: string
  readonly unseen: readonly string[]
}

/** Whether an answer is withheld until an agent's answer judged it. `lines`: null where the program looked at none. */
export function whyWithheld(
  standing: { readonly recent: Recent; readonly accepted: readonly string[] },
  typical: Typical | undefined,
  of: { readonly lines: readonly DocumentLine[] | null; readonly evidence: EvidenceMap },
): Withheld | undefined {
  const surprise =
    typical && of.lines ? surpriseOf(profileOf(of.lines, of.evidence), typical, standing.accepted) : undefined
  if (surprise && typical && isStrange(surprise, typical)) {
    const fields = [...surprise.bySubject.keys()].filter((subject) => subject.startsWith('/'))
    const where = fields.length > 0 ? ` around ${fields.slice(0, 5).join(', ')}` : ''
    return {
      because: `the document is structured differently${where} from those that the program was tested on`,
      unseen: surprise.unseen,
    }
  }
  if (isInDoubt(standing.recent))
    return { because: 'the latest checked answers of the program include a wrong one', unseen: [] }
  return undefined
}

/** A drift is a judge's only if the judge can drift: people and known answers are right. */
export const driftedBy = (judge: Judge, drifted: Drifted): Drifted =>
  judge === 'human' || judge === 'case' ? 'program' : drifted
