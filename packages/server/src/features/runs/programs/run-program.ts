import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { asJson, type Json } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { z } from 'zod'
import { markedAnswer } from '../../../agent/programs/marked-answer.ts'
import { separateFields } from '../../../agent/programs/separate-fields.ts'
import { modelAsk } from '../../../tools/model-ask/model-ask.ts'
import { anyJson, type Ending, mayTrain, resultOf, type Step, usageOf } from '../../executions/executions.ts'
import { type Engine, isSecondGeneration } from '../../models/models.ts'
import {
  answerByContent,
  type Drawn,
  drawFor,
  findContent,
  type Guard,
  type LeftFields,
  programStep,
  type ReadyProgram,
  type Served,
  type ServeRequest,
  serveByProgram,
  sha256Of,
  type WithheldAnswer,
  withheldAnswer,
  withoutGuesses,
} from '../../programs/programs.ts'
import { askerOf, HostStopped } from '../ask.ts'
import type { EngineParts } from '../parts.ts'
import { readInputs } from '../reading/read-inputs.ts'
import { releasePrice, reservePrice } from '../reserve-price.ts'
import type { Run } from '../run-state.ts'
import { evidence } from '../steps/recorded.ts'
import { beginStep, record } from '../transcript.ts'

/** The recorded step of a program's run. */
type Kept =
  | {
      readonly answered: true
      readonly response: Json
      readonly evidence: EvidenceMap
      readonly ms: number
      readonly left?: LeftFields | null | undefined
    }
  | {
      readonly answered: false
      readonly because: string
      readonly withheld?: WithheldAnswer | undefined
      readonly novel?: WithheldAnswer | undefined
      readonly isOutdated?: boolean | undefined
    }

/** Whether a request asks for a program, of a model that has them. */
const asksForProgram = ({ execution }: Pick<Run, 'execution'>): boolean =>
  execution.request.programAsked && isSecondGeneration(execution.model)

/** The end of a run that a program served, and the fields that an agent must still answer. */
export interface ServedEnding {
  readonly ending: Ending & { readonly program: NonNullable<Ending['program']> }
  readonly left: LeftFields | null
}

/**
 * Answers with the ready program of the request, if it asks for one. Undefined: the run continues as an agent and keeps the reason. Does
 * not repeat a run in the transcript. `engine`: answers the program's questions.
 */
export async function answerByProgram(
  parts: EngineParts,
  run: Run,
  engine: () => Engine,
): Promise<ServedEnding | undefined> {
  if (!asksForProgram(run)) return undefined
  const recorded = run.transcript.find((step) => step.kind === 'tool' && step.name === programStep)
  const { program, kept, drawn } = recorded
    ? { program: programOf(recorded.detail), kept: resultOf(recorded, keptForm), drawn: undrawn }
    : await serve(parts, run, engine)
  if (!kept.answered || !program) {
    const {
      because,
      withheld,
      novel,
      isOutdated = false,
    } = kept.answered ? { because: 'the program is gone', withheld: undefined, novel: undefined } : kept
    const unused = { ...(withheld && { withheld }), ...(novel && { novel }) }
    run.fellBack = { programId: program?.id ?? null, because, isOutdated, ...unused }
    return undefined
  }
  const { grounded, schema } = run.execution.request
  const { response: answer, evidence, left = null } = kept
  const fields = left && {
    left: left.fields,
    answered: (separateFields(schema) ?? []).filter((field) => !left.fields.includes(field)),
  }
  const marks = grounded && left === null
  return {
    left,
    ending: {
      status: 'completed',
      response: marks ? await markedAnswer(parts.processPool, { answer, evidence, schema }, run.signal) : answer,
      evidence: kept.evidence,
      error: null,
      usage: usageOf(run.transcript),
      now: parts.clock.now(),
      program: { ...program, response: kept.response, ms: kept.ms, ...drawn, ...fields },
    },
  }
}

const keptForm: z.ZodType<Kept> = z.discriminatedUnion('answered', [
  z.looseObject({
    answered: z.literal(true),
    response: anyJson,
    evidence,
    ms: z.number(),
    left: z.object({ fields: z.array(z.string()), because: z.string() }).nullish(),
  }),
  z.looseObject({
    answered: z.literal(false),
    because: z.string(),
    withheld: withheldAnswer.optional(),
    novel: withheldAnswer.optional(),
    isOutdated: z.boolean().optional(),
  }),
])

const programOf = (detail: Json): ReadyProgram | null => (detail as { program?: ReadyProgram }).program ?? null

const undrawn: Drawn = { isShadowed: false, isCounting: false }

async function serve(
  parts: EngineParts,
  run: Run,
  engine: () => Engine,
): Promise<{ program: ReadyProgram | null; kept: Kept; drawn: Drawn }> {
  const { execution } = run
  const { values, schema, prompt, skills = [] } = execution.request
  const parsedInputs = await readInputs(parts, run)
  const documents = parsedInputs.map(({ input, document: { packed, mediaType, pageCount }, look }) => ({
    input,
    packed,
    mediaType,
    pageCount,
    firstPage: look?.page,
    words: look?.words,
  }))
  const asked = { workspaceId: execution.workspaceId, skills, prompt, schema, documents, values }
  if (run.replayed) return serveAgain(parts, { run, transcript: run.replayed, engine }, asked)
  const reservation = await reservePrice(parts, run, { name: programStep })
  const startedAt = parts.clock.now()
  const served = await serveByProgram(programParts(parts, run, engine), asked, run.signal).catch(throwCause)
  const kept = keptOf(served)
  // Without a program nothing was done.
  if (served.program === null) {
    await releasePrice(parts, run, reservation)
    return { program: null, kept, drawn: undrawn }
  }
  beginStep(run)
  await record(parts, run, {
    kind: 'tool',
    name: programStep,
    detail: {
      program: { ...served.program },
      ...(served.answered ? recordedOf(served) : {}),
      ...(served.standing?.lost.length ? { lost: [...served.standing.lost] } : {}),
      ...(served.accepted?.length ? { accepted: [...served.accepted] } : {}),
    },
    result: asJson(kept),
    startedAt,
    isLate: true,
    reservation,
  })
  const drawn =
    served.answered && kept.answered ? drawFor(execution.id, served.standing, parts.programs.shadow) : undrawn
  // Executions that must not be kept have no shadow. A shadow would need its own approvals.
  const isShadowed = drawn.isShadowed && mayTrain(execution.request) && !execution.request.approval?.tools.length
  return { program: served.program, kept, drawn: { ...drawn, isShadowed } }
}

function programParts(parts: EngineParts, run: Run, engine: () => Engine) {
  const { tools = null } = run.execution.request
  const ask = tools === null || tools.includes(modelAsk.name) ? askerOf(parts, run, { turn: 0, engine }) : askNobody
  return { ...parts, sandbox: parts.programs.sandbox, ask }
}

function throwCause(error: unknown): never {
  throw error instanceof HostStopped ? error.cause : error
}

/** A program's content, if it is in the transcript. */
const carriedContent = z.looseObject({
  content: z.looseObject({ source: z.string(), guard: z.custom<Guard>().nullable() }),
})

/** The fields that the program had lost then, and the words of the documents that it had accepted. */
const carriedStanding = z.looseObject({
  lost: z.array(z.string()).default([]),
  accepted: z.array(z.string()).default([]),
})

/** Runs the program of a recorded transcript again, whatever its status. Fault `program_gone`. */
async function serveAgain(
  parts: EngineParts,
  { run, transcript, engine }: { run: Run; transcript: readonly Step[]; engine: () => Engine },
  asked: ServeRequest,
): Promise<{ program: ReadyProgram | null; kept: Kept; drawn: Drawn }> {
  const recorded = transcript.find((step) => step.kind === 'tool' && step.name === programStep)
  const program = recorded ? programOf(recorded.detail) : null
  if (!recorded || !program)
    return { program: null, kept: { answered: false, because: 'no program served the record' }, drawn: undrawn }
  const { workspaceId } = run.execution
  const carried = carriedContent.safeParse(recorded.detail)
  const stored = isId(program.id) ? await findContent(parts.db, { workspaceId, id: program.id }) : undefined
  const content = carried.data?.content ?? stored
  if (!content || sha256Of(content.source) !== program.sha256)
    throw new Fault(
      'conflict',
      'program_gone',
      `The program ${program.id} that served this execution is no longer stored, so its record cannot be replayed`,
    )
  const { lost, accepted } = carriedStanding.parse(recorded.detail)
  const whole = await answerByContent(
    programParts(parts, run, engine),
    { request: asked, program, content, lost, accepted },
    run.signal,
  ).catch(throwCause)
  // What was withheld then is withheld now: the transcript continues with an agent's answer.
  const before = resultOf(recorded, keptForm)
  const { left = [] } = before.answered ? {} : (before.withheld ?? {})
  const keepsGuesses =
    !before.answered && before.withheld && whole.answered && !left.some((one) => whole.guessed.includes(one))
  const answered = whole.answered && !keepsGuesses ? withoutGuesses(whole, asked.schema) : whole
  const withheld = before.answered || !before.withheld ? undefined : { ...before.withheld, because: before.because }
  return { program, kept: keptOf(answered.answered ? { ...answered, withheld } : answered), drawn: undrawn }
}

/** For a request whose tools exclude questions. */
const askNobody = async (): Promise<never> => {
  throw new Fault(
    'invalid',
    'tool_left_out',
    `${modelAsk.name} is not one of the tools that the request or its skills name`,
  )
}

function keptOf(
  served: Omit<Extract<Served, { answered: true }>, 'standing'> | Extract<Served, { answered: false }>,
): Kept {
  if (!served.answered) {
    const { because, isOutdated, novel } = served
    return { answered: false, because, ...(isOutdated && { isOutdated }), ...(novel && { novel }) }
  }
  const { response, evidence, ms, left, withheld } = served
  if (!withheld) return { answered: true, response, evidence, ms, ...(left && { left }) }
  const { because, unseen } = withheld
  const given = { response, evidence, ms, unseen, ...(left && { left: left.fields }) }
  return { answered: false, because, withheld: given }
}

const recordedOf = ({
  console,
  hostCalls,
  ms,
}: Extract<Served, { answered: true }>): { readonly [name: string]: Json } => ({
  console: [...console],
  hostCalls,
  ms: Math.round(ms * 10) / 10,
})

/** Why a request for a program ran as an agent, in a sentence for its usage; undefined for other requests. */
export const fallBackMessage = (run: Run): string | undefined =>
  run.fellBack ? `Ran as agent: ${run.fellBack.because}` : undefined
