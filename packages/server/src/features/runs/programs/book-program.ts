import { newId } from '@skillrun/core/ids.ts'
import type { Micros } from '../../../core/money.ts'
import {
  type Ending,
  findOriginal,
  insertExecution,
  markShadow,
  mayTrain,
  topicOf,
} from '../../executions/executions.ts'
import type { Tier } from '../../pricing/pricing.ts'
import {
  acceptNew,
  bookAgentRun,
  bookServed,
  compileAgain,
  keepCandidate,
  type ShadowSettings,
  type StartParts,
  settleJudgement,
  skillsHash,
  testAgain,
} from '../../programs/programs.ts'
import { loadSkill } from '../../skills/skills.ts'
import type { Run } from '../run-state.ts'
import { finalProgramOf } from '../steps/code-steps.ts'
import { answeringEngine, type Shadowed } from './judge-program.ts'

/** Books the consequences of a run for the program that served it, or would have, in the transaction that ends it. */
export async function bookProgram(
  parts: StartParts & { readonly shadow: ShadowSettings },
  of: { run: Run; ending: Ending; shadowed: Shadowed | undefined },
): Promise<void> {
  const { tx } = parts
  const { run, ending, shadowed } = of
  const { workspaceId, id, forkedFrom } = run.execution
  // A fork may only keep an earlier answer of the program, or depend on results that were edited.
  if (forkedFrom !== null) return
  const { now, program, usage } = ending
  const micros = usage.standardMicros ?? 0
  if (program) {
    const { ms, left = [], isShadowed, isCounting } = program
    const shadowId = isShadowed ? newId(now) : null
    const booked = { workspaceId, executionId: id, programId: program.id, shadowId, left, micros, ms, now, isCounting }
    await bookServed(tx, { ...booked, isWithheld: false })
    if (shadowId !== null) await addShadow(parts, run, { id: shadowId, tier: 'flex', now })
  } else {
    await bookFellBack(parts, { run, ending, isJudged: shadowed !== undefined })
    if (ending.status === 'completed') await keepFinalProgram(parts, run, micros)
  }
  if (!shadowed) return
  if (shadowed.isNovel) return acceptNew(tx, { workspaceId, id: shadowed.programId, ...shadowed })
  // A withheld answer is judged by a run that answered a request: it is booked already.
  if (shadowed.executionId !== id) await bookAgentRun(tx, { workspaceId, programId: shadowed.programId, micros })
  const changed = await settleJudgement(tx, { workspaceId, ...shadowed, now }, parts.shadow)
  if (changed) await compileAgain(parts, changed)
}

/**
 * Books an agent's run in place of a program. A withheld answer that its answer could not judge is judged by a shadow; if the agent failed, by people at
 * most.
 */
async function bookFellBack(
  parts: StartParts,
  { run, ending, isJudged }: { run: Run; ending: Ending; isJudged: boolean },
): Promise<void> {
  const { workspaceId, id: executionId, request, tier } = run.execution
  const { programId, withheld, isOutdated } = run.fellBack ?? {}
  if (!programId) return
  const { now, usage } = ending
  const hasAnswered = ending.status === 'completed'
  if (hasAnswered) await bookAgentRun(parts.tx, { workspaceId, programId, micros: usage.standardMicros ?? 0 })
  if (isOutdated) await testAgain(parts, { workspaceId, id: programId })
  if (!withheld) return
  const isShadowed = hasAnswered && !isJudged && mayTrain(request) && !request.approval?.tools.length
  const shadowId = isShadowed ? newId(now) : null
  const { ms, left = [] } = withheld
  const booked = { workspaceId, executionId, programId, shadowId, left, micros: 0, ms, now }
  await bookServed(parts.tx, { ...booked, isCounting: false, isWithheld: true })
  // Answers are withheld until it ends, so it waits no longer than the request did.
  if (shadowId !== null) await addShadow(parts, run, { id: shadowId, tier, now })
}

/** Stores the program that a code agent wrote for a stored skill as a candidate. */
async function keepFinalProgram(parts: StartParts, { execution, transcript }: Run, micros: Micros): Promise<void> {
  const { workspaceId, id: executionId, request, evaluationId, shadowOf } = execution
  const { skills = [], schema, prompt } = request
  const [first] = skills
  const source = finalProgramOf(transcript)
  const isKept = mayTrain(request)
  const isWork = evaluationId === null && shadowOf === null
  if (!source || !first?.id || !isKept || !isWork) return
  const owner = await loadSkill({ db: parts.tx }, { workspaceId, id: first.id }).catch(() => undefined)
  if (!owner) return
  const { id, name, skillVersion, workspaceId: ownerId } = owner
  const owned = { workspaceId, owner: { id, ownerId, name, skillVersion } }
  const writtenBy = answeringEngine({ transcript })
  const skillsSha256 = skillsHash(skills, prompt)
  const kept = { ...owned, skills, skillsSha256, schema, executionId, writtenBy, source, micros }
  await keepCandidate(parts, kept)
}

/** Adds an execution with the same request, which an agent answers: its model answers all fields. */
async function addShadow(
  { tx, queue }: Pick<StartParts, 'tx' | 'queue'>,
  run: Run,
  { id, tier, now }: { id: string; tier: Tier; now: Date },
): Promise<void> {
  const { workspaceId, id: shadowOf } = run.execution
  const original = await findOriginal(tx, { workspaceId, id: shadowOf })
  if (!original) return
  const { path: _, ...request } = original.request
  await insertExecution(tx, {
    ...original,
    id,
    tier,
    request: {
      ...request,
      ...{ programAsked: false, grounded: false, review: null, approval: null, baseExecution: null },
    },
    callbackUrl: null,
    evaluationId: null,
    sessionId: null,
    createdAt: now,
  })
  await markShadow(tx, { workspaceId, id, shadowOf })
  await queue.add(tx, topicOf[tier], { workspaceId, id, number: 1 }, { group: workspaceId })
}
