import { asJson, type Json, valueAt } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { z } from 'zod'
import { comparePairs } from '../../../agent/compare-answers.ts'
import type { EmbeddedAnswer } from '../../../agent/embedded/answer.ts'
import { checkAnswer } from '../../../agent/judge-answer.ts'
import { fieldHolding, separateFields, withFields, withoutFields } from '../../../agent/programs/separate-fields.ts'
import { sameValue } from '../../../agent/same-value.ts'
import {
  findPath,
  type LowerAnswer,
  type PathLesson,
  type Plan,
  planOf,
  requestedPath,
  type Support,
} from '../../cheapest-path/cheapest-path.ts'
import { type Ending, isOwn, mayTrain, resultOf } from '../../executions/executions.ts'
import type { Ladder } from '../../models/models.ts'
import { wrongFields } from '../../programs/programs.ts'
import type { ModelAnswer } from '../answer-of-ending.ts'
import type { EngineParts } from '../parts.ts'
import { endingOfJoined, evidenceOf, invalidAnswer } from '../programs/joined-answer.ts'
import type { Run } from '../run-state.ts'
import { record, recordedBy, warn } from '../transcript.ts'
import { askLarge, askRules, askSmall, type Climb, type Rungs, unasked } from './ask-rungs.ts'

/** The step with the plan of a path. */
export const planStep = 'path.plan'

/** An end on the cheapest path, with what its run teaches. */
export interface PathEnding {
  readonly ending: Ending & { readonly path: NonNullable<Ending['path']> }
  readonly lesson: PathLesson
}

const form: z.ZodType<Plan> = z.looseObject({
  key: z.string(),
  maxWrongRate: z.number(),
  small: z.string().nullable(),
  large: z.string(),
  isChecked: z.boolean(),
  asksSmall: z.boolean().optional(),
  rules: z.array(z.string()),
  model: z.record(z.string(), z.array(z.enum(['same', 'found', 'unfound']))),
})

/** Whether a run takes the cheapest path: it has fields that can be answered separately, and no withheld answer of a program to judge. */
const fieldsOf = (run: Run): readonly string[] | undefined =>
  run.execution.request.path && !run.fellBack?.withheld ? separateFields(run.execution.request.schema) : undefined

/**
 * Answers each field by the first rung that is sure of it: the rules, the small model, the large model. Undefined: the request asks for no
 * path, or its fields cannot be answered separately, which a warning says.
 */
export async function answerByPath(
  parts: EngineParts,
  run: Run,
  of: { readonly ladder: Ladder; readonly rungs: Rungs },
): Promise<PathEnding | undefined> {
  const fields = fieldsOf(run)
  const { schema } = run.execution.request
  if (fields === undefined || schema === null) {
    if (run.execution.request.path && !run.fellBack?.withheld) warn(run, noPath)
    return undefined
  }
  const plan = await planIn(parts, run, { ladder: of.ladder, fields })
  const answers = await climb(parts, run, { ...of, plan, fields, schema })
  return { ending: await endingOf(parts, run, { answers, plan, fields, schema }), lesson: answers.lesson }
}

/** The warning of a request that asks for a path and cannot take one. */
export const noPath = {
  code: 'no_path',
  path: '',
  message:
    'The cheapest path needs a schema of an object whose fields can be answered separately; one model answered all fields',
}

/** The plan in the transcript, or a new one. */
async function planIn(
  parts: EngineParts,
  run: Run,
  { ladder, fields }: { ladder: Ladder; fields: readonly string[] },
): Promise<Plan> {
  const { id: executionId, workspaceId, request } = run.execution
  // A part of a request, which a delta or a program leaves, learns with the whole: each field is the same question.
  const asked = requestedPath(run.whole, ladder)
  const { key } = asked
  const plans = recordedBy(run).flatMap((step) => (step.name === planStep ? [resultOf(step, form)] : []))
  // A fork may ask something else.
  const recorded = plans.findLast((one) => one.key === key || run.replayed !== null)
  if (recorded && run.transcript.some(({ name }) => name === planStep)) return recorded
  const share = mayTrain(request) ? parts.programs.shadow.share : 0
  const plan = recorded ?? planOf(asked, await findPath(parts.db, { workspaceId, key }), { executionId, fields, share })
  const step = { detail: { small: plan.small, large: plan.large }, result: asJson(plan) }
  const startedAt = parts.clock.now()
  await record(parts, run, { kind: 'tool', name: planStep, ...step, costMicros: 0, startedAt, isLate: true })
  return plan
}

/** What the rungs answered, and by which each field was. */
interface Answers {
  readonly response: Json
  readonly evidence: EvidenceMap
  /** By JSON Pointer: `rules`, or the engine. */
  readonly by: Readonly<Record<string, string>>
  readonly error: Ending['error']
  readonly expected: ModelAnswer['expected']
  readonly messages: readonly (string | undefined)[]
  readonly lesson: PathLesson
  readonly lower: readonly LowerAnswer[]
}

async function climb(parts: EngineParts, run: Run, of: Climb): Promise<Answers> {
  const { ladder, plan, fields, schema } = of
  const rules = await askRules(run, of)
  const readable = fields.filter((field) => isSure(rules, field, plan.maxWrongRate))
  const read = readable.filter((field) => plan.rules.includes(field))
  const unread = fields.filter((field) => !read.includes(field))
  const asksSmall = unread.length > 0 && mayAskSmall(run, plan, unread)
  // Where nothing is proven the answer needs the large model anyway: it is asked first, so that learning cannot use up what the limits allow.
  const learns = asksSmall && !isProvenIn(plan, unread)
  const first = asksSmall && !learns ? await askSmall(parts, run, of, { fields: unread, learns }) : unasked
  const small = first.answer
  const support = (field: string, by = small): Support => supportOf(field, { small: by, rules })
  const given = small ? unread.filter((field) => plan.model[field]?.includes(support(field))) : []
  const left = unread.filter((field) => !given.includes(field))
  const large = await askLarge(parts, run, of, left)
  const last = learns && large?.error === null ? await askSmall(parts, run, of, { fields: unread, learns }) : unasked
  const answered = small ?? last.answer
  const asked = large ? (plan.isChecked ? fields : left) : []
  const base = withoutFields(rules?.answer ?? {}, { all: fields, left: unread })
  const lower = small ? withFields(base, small.response, { schema, left: unread }) : base
  const learned = last.answer ? withFields(base, last.answer.response, { schema, left: unread }) : lower
  const judge = (given: Json, of: readonly string[]): Promise<readonly Judged[]> =>
    large?.error === null ? judgedFields(parts, run, { right: large.response, given, fields: of }) : Promise.resolve([])
  // Values of the rules that are in doubt are judged too, or they would stay in doubt.
  const readableAnswer = withoutFields(rules?.answer ?? {}, {
    all: fields,
    left: fields.filter((one) => !readable.includes(one)),
  })
  const judged = [
    ...(
      await judge(
        readableAnswer,
        asked.filter((field) => readable.includes(field)),
      )
    ).map((one) => ({ ...one, support: null })),
    ...(await judge(learned, answered ? asked.filter((field) => unread.includes(field)) : [])).map((one) => ({
      ...one,
      support: support(one.field, answered),
    })),
  ]
  // The bounds of all fields hold together, also where only a part of them is asked.
  const fieldsOfPath = (separateFields(run.whole.schema) ?? fields).length
  const byField = (field: string): string =>
    asked.includes(field) ? ladder.large.name : read.includes(field) ? 'rules' : (ladder.small?.name ?? 'rules')
  const unjudged = [
    ...read.map((field) => ({ field, support: null })),
    ...given.map((field) => ({ field, support: support(field) })),
  ].filter(({ field }) => !asked.includes(field))
  return {
    lower: [...judged, ...unjudged.map((one) => ({ ...one, isWrong: null }))],
    response: large
      ? withFields(withoutFields(lower, { all: fields, left: asked }), large.response, { schema, left: asked })
      : lower,
    evidence: {
      ...evidenceOf(
        rules?.evidence,
        read.filter((field) => !asked.includes(field)),
      ),
      ...evidenceOf(
        small?.evidence,
        given.filter((field) => !asked.includes(field)),
      ),
      ...evidenceOf(large?.evidence, asked),
    },
    by: Object.fromEntries(fields.map((field) => [field, byField(field)])),
    error: large?.error ?? null,
    expected: { ...small?.expected, ...large?.expected },
    messages: [large?.message ?? (large ? undefined : small?.message)],
    lesson: mayTrain(run.execution.request)
      ? { plan, fields: fieldsOfPath, judged, hasFailed: first.hasFailed ?? last.hasFailed }
      : { plan, fields: fieldsOfPath, judged: [], hasFailed: null },
  }
}

const isProvenIn = (plan: Plan, fields: readonly string[]): boolean =>
  fields.some((field) => (plan.model[field] ?? []).length > 0)

/** Where nothing may be learned, no one judges the small model: it is asked only if it is proven for one of the fields. */
const mayAskSmall = (run: Run, plan: Plan, fields: readonly string[]): boolean =>
  plan.small !== null && plan.asksSmall !== false && (mayTrain(run.execution.request) || isProvenIn(plan, fields))

/** Whether the rules' value of a single field has a calibrated probability of being right that meets the target. */
function isSure(rules: EmbeddedAnswer | undefined, field: string, maxWrongRate: number): boolean {
  const value = rules && (valueAt(rules.answer, field) ?? null)
  if (!rules?.report?.completeness.maxWrongRate || value === null || typeof value === 'object') return false
  return (rules.evidence[field]?.confidence ?? 0) >= 1 - maxWrongRate
}

/** What speaks for the small model's value of a field. */
function supportOf(
  field: string,
  { small, rules }: { small: ModelAnswer | undefined; rules: EmbeddedAnswer | undefined },
): Support {
  const value = valueAt(small?.response ?? null, field) ?? null
  if (value === null) return 'unfound'
  const ofRules = rules && (valueAt(rules.answer, field) ?? rules.evidence[field]?.candidates?.[0]?.value ?? null)
  if (ofRules !== undefined && ofRules !== null && sameValue(ofRules, value)) return 'same'
  const places = Object.values(evidenceOf(small?.evidence, [field]))
  return places.length > 0 && places.every(({ status }) => status !== 'unsupported') ? 'found' : 'unfound'
}

type Judged = Pick<PathLesson['judged'][number], 'field' | 'isWrong'>

/** Which of these fields of a lower rung's answer are wrong; none is judged in answers that are too large to compare. */
async function judgedFields(
  parts: EngineParts,
  run: Run,
  { right, given, fields }: { right: Json; given: Json; fields: readonly string[] },
): Promise<readonly Judged[]> {
  if (fields.length === 0) return []
  const [compared] = await comparePairs(parts.processPool, [[right, given]], { tooLarge: 'empty', signal: run.signal })
  if (!compared) return []
  const wrong = wrongFields(compared, 'person')
  return fields.map((field) => ({
    field,
    isWrong: wrong.some((pointer) => fieldHolding([field], pointer) !== undefined),
  }))
}

async function endingOf(
  parts: EngineParts,
  run: Run,
  { answers, plan, fields, schema }: { answers: Answers; plan: Plan } & Pick<Climb, 'fields' | 'schema'>,
): Promise<PathEnding['ending']> {
  const { response: answer, evidence, expected = {}, by } = answers
  const problems = answers.error
    ? []
    : await checkAnswer({ processPool: parts.processPool, schema }, answer, run.signal)
  const error = problems.length === 0 ? answers.error : invalidAnswer(problems)
  const ending = await endingOfJoined(parts, run, {
    ...{ answer, evidence, error, expected },
    explain: (missing) => [...answers.messages, missing],
  })
  return {
    ...ending,
    path: {
      ...{ key: plan.key, maxWrongRate: plan.maxWrongRate, isChecked: plan.isChecked },
      fields: Object.fromEntries(fields.map((field) => [field, by[field] ?? ''])),
      engines: costsOf(run),
      ...(mayTrain(run.execution.request) && {
        lower: { small: plan.small, large: plan.large, answers: [...answers.lower] },
      }),
    },
  }
}

/** The calls and cost of each engine that a run asked. */
function costsOf({ transcript }: Pick<Run, 'transcript'>): NonNullable<Ending['path']>['engines'] {
  const costs: Record<string, { calls: number; micros: number }> = {}
  for (const { kind, name, costMicros } of transcript.filter((step) => step.kind === 'model' && isOwn(step))) {
    const { calls, micros } = costs[name] ?? { calls: 0, micros: 0 }
    if (kind === 'model') costs[name] = { calls: calls + 1, micros: micros + costMicros }
  }
  return costs
}
