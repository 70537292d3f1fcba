import type { Json, JsonObject, JsonSchema } from '../../packages/core/src/json.ts'
import { isJsonObject } from '../../packages/core/src/json.ts'
import { learnJob, type WrittenProgram } from '../../packages/server/src/agent/programs/learn.ts'
import { whyWithheld } from '../../packages/server/src/features/programs/drift/drift.ts'
import { type Proof, prove, type ReadCase } from '../../packages/server/src/features/programs/prove.ts'
import type { SourceParts } from '../../packages/server/src/features/programs/run-source.ts'
import { answerByContent, withoutGuesses } from '../../packages/server/src/features/programs/serve.ts'

/** A program of which nobody checked an answer yet. */
const fresh = { recent: [], accepted: [] }

/** A program learned from cases, and what it answers to other documents. */
export interface ServedSet extends Pick<WrittenProgram, 'source' | 'fields'>, Pick<Proof, 'report' | 'passed'> {
  readonly answers: readonly {
    /** The served fields; null: the document is left to an agent as a whole. */
    readonly response: JsonObject | null
    /** Why fields, or all of them, are left to an agent; null: none is. */
    readonly because: string | null
    readonly ms: number
  }[]
}

/** Learns a program from known documents, proves it, and answers the others as the server would. */
export async function servedSet(
  parts: SourceParts,
  { schema, known, others }: { schema: JsonSchema; known: readonly ReadCase[]; others: readonly ReadCase[] },
): Promise<ServedSet> {
  const signal = AbortSignal.timeout(600_000)
  const { source, fields } = await parts.processPool.run(
    learnJob,
    { schema, examples: known.map(({ documents, answer }) => ({ documents, answer })) },
    { wallMs: 300_000, memoryMb: 1_024, signal },
  )
  const { report, guard, passed } = await prove(
    parts,
    { source, schema, cases: known, threshold: 0.9, learned: fields },
    signal,
  )
  const answers = []
  for (const one of others) {
    const started = performance.now()
    const request = { ...one, workspaceId: '', skills: [], prompt: '', schema }
    const of = { request, program: { id: '', sha256: '' }, content: { source, guard } }
    const whole = await answerByContent(parts, of, signal)
    const ms = performance.now() - started
    const isWithheld = whole.answered && whyWithheld(fresh, guard.typical, whole) !== undefined
    const served = whole.answered && !isWithheld ? withoutGuesses(whole, schema) : whole
    const because = !served.answered
      ? served.because
      : isWithheld
        ? 'withheld: structured differently'
        : (served.left?.because ?? null)
    const isGiven = served.answered && !isWithheld && isJsonObject(served.response)
    answers.push({ response: isGiven ? (served.response as Json as JsonObject) : null, because, ms })
  }
  return { source, fields, report, passed, answers }
}
