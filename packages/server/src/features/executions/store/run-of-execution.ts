import { asJson, isLegibleText, type Json, legible } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { Warning } from '@skillrun/reader/evidence/warnings.ts'
import { z } from 'zod'
import { each, jsonb, type Sql } from '../../../adapters/db/db.ts'
import { largeJsonb } from '../../../adapters/db/large-json.ts'
import type { Execution, ExecutionError, ExecutionState, StoredCompleteness, Usage } from '../execution.ts'
import { allowedBefore, type Move, move } from '../lifecycle.ts'
import { columns, fewGiven, type Place, parsedRow, type RunFence, type StoredRow, stateOf } from './execution-row.ts'
import { endTime, moveParam, withMove } from './move-sql.ts'
import { originalOf } from './stored-request.ts'

/** An execution at the start of a run. */
export interface StartedExecution extends Execution {
  readonly moves: readonly Move[]
  /** Attempts taken over after their leases lapsed, by number, each with the process that held it. */
  readonly lostAttempts: Readonly<Record<string, string>>
}

const started = z.object({ moves: z.array(move), lostAttempts: z.record(z.string(), z.string()) })

/**
 * Starts a run of an execution in a process and returns it with its new attempt number. Undefined: the execution has ended or waits, or its
 * job was claimed again (a newer job than number `job`, or a later attempt of it than `jobAttempt`). Records the process of an attempt that
 * is taken over, which may have crashed or only stalled.
 */
export const startRun = (sql: Sql, run: StartingRun): Promise<StartedExecution | undefined> => each(sql, startRuns, run)

export interface StartingRun extends Place {
  readonly job: number
  readonly jobAttempt: number
  readonly processId: string
  readonly now: Date
}

const starting = `update executions set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, given.now),
       process_id = given.process, job_attempt = given.delivery,
       lost_attempts = case when status = 'running' and process_id <> given.process
         then lost_attempts || jsonb_build_object(attempt::text, process_id) else lost_attempts end,
       ${withMove('given.move', 'attempt + 1')}
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::uuid[], $6::timestamptz[], $7::jsonb[]) with ordinality
       as given (workspace, execution, job, delivery, process, now, move, place)
     where workspace_id = given.workspace and id = given.execution and job_number = given.job and job_attempt < given.delivery
       and status in ('enqueued', 'running') and ${fewGiven}
     returning ${columns}, request, moves, lost_attempts as "lostAttempts", (place - 1)::integer as at`

/** As `startRun`, for several runs. Of two deliveries of one job, only the later starts. */
export async function startRuns(
  sql: Sql,
  all: readonly StartingRun[],
): Promise<readonly (StartedExecution | undefined)[]> {
  const latest = new Map(
    all
      .toSorted((left, right) => left.jobAttempt - right.jobAttempt)
      .map((run) => [`${run.workspaceId} ${run.id}`, run]),
  )
  const runs = [...latest.values()]
  const rows = await sql.query<StoredRow>(starting, [
    runs.map(({ workspaceId }) => workspaceId),
    runs.map(({ id }) => id),
    runs.map(({ job }) => job),
    runs.map(({ jobAttempt }) => jobAttempt),
    runs.map(({ processId }) => processId),
    runs.map(({ now }) => now),
    runs.map(({ now }) => moveParam('running', now)),
  ])
  const begun = new Map(
    rows.map((row) => [runs[Number(row['at'])], { ...originalOf(row), ...parsedRow(started, row) }]),
  )
  return all.map((run) => begun.get(run))
}

/** Returns an unfinished run to the queue for another worker. False: this run no longer held it. */
export async function returnRun(sql: Sql, fence: RunFence, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `update executions set status = 'enqueued', ${withMove(4)}
     where workspace_id = $1 and id = $2 and attempt = $3 and status = 'running' returning id`,
    [fence.workspaceId, fence.id, fence.attempt, moveParam('enqueued', now)],
  )
  return rows.length === 1
}

/** Records that the process of an attempt, which may have been taken over, did not crash. */
export async function clearLostAttempt(sql: Sql, fence: RunFence): Promise<void> {
  await sql.query(
    `update executions set lost_attempts = lost_attempts - $3
     where workspace_id = $1 and id = $2 and lost_attempts ? $3`,
    [fence.workspaceId, fence.id, String(fence.attempt)],
  )
}

/** Records the engine and the rule that chose it. */
export async function markAnswering(
  sql: Sql,
  fence: RunFence,
  chosen: { answeredBy: string; reason: string | null },
): Promise<void> {
  await sql.query(
    `update executions set answered_by = $4, chosen_by = $5 where workspace_id = $1 and id = $2 and attempt = $3`,
    [fence.workspaceId, fence.id, fence.attempt, chosen.answeredBy, chosen.reason],
  )
}

/** The end of a run. */
export interface Ending {
  readonly status: 'completed' | 'failed'
  readonly response: Json
  readonly evidence: EvidenceMap | null
  readonly error: ExecutionError | null
  readonly completeness?: StoredCompleteness | null
  /** Pointers of the values that were not sure enough for what was promised; absent: nothing was. */
  readonly unsure?: readonly string[] | undefined
  /** Pointers of the values that a person should check. */
  readonly needsLook?: readonly string[]
  /** The confidence of the review rule that holds; absent: none does. */
  readonly reviewBelow?: number
  readonly usage: Usage
  readonly now: Date
  /** How each field was answered, if some were kept from the base of the execution. */
  readonly fieldModes?: NonNullable<ExecutionState['fieldModes']>
  /** The program that answered, its answer and duration, and the bookkeeping that its run causes. */
  readonly program?: Readonly<{
    id: string
    sha256: string
    response: Json
    /** Fields that it left to an agent, and the others. */
    left?: readonly string[]
    answered?: readonly string[]
    ms: number
    isShadowed: boolean
    isCounting: boolean
  }>
  /** What answered each field on the cheapest path. */
  readonly path?: NonNullable<ExecutionState['path']>
}

/** The program of an end, as its record keeps it. */
export const servedBy = ({
  id,
  sha256,
  left = [],
  answered = [],
}: NonNullable<Ending['program']>): NonNullable<ExecutionState['program']> => ({
  id,
  sha256,
  ...(left.length > 0 && {
    fields: Object.fromEntries([
      ...answered.map((field) => [field, 'program'] as const),
      ...left.map((field) => [field, 'agent'] as const),
    ]),
  }),
})

/** Params of an end, with their types. */
const given: readonly (readonly [name: string, type: string, value: (of: FencedEnding) => unknown])[] = [
  ['workspace', 'uuid', ({ fence }) => fence.workspaceId],
  ['execution', 'uuid', ({ fence }) => fence.id],
  ['fence', 'integer', ({ fence }) => fence.attempt],
  ['before', 'text', ({ ending }) => allowedBefore(ending.status).join(' ')],
  ['ended', 'text', ({ ending }) => ending.status],
  ['answer', 'json', ({ texts }) => texts.response],
  ['found', 'json', ({ texts }) => texts.evidence],
  ['failure', 'json', ({ ending }) => (ending.error === null ? null : jsonb(legible(ending.error)))],
  ['used', 'json', ({ ending }) => jsonb(ending.usage)],
  ['now', 'timestamptz', ({ ending }) => ending.now],
  ['move', 'jsonb', ({ ending }) => moveParam(ending.status, ending.now)],
  ['covered', 'json', ({ ending }) => (ending.completeness ? jsonb(ending.completeness) : null)],
  ['look', 'json', ({ ending }) => (ending.needsLook ? jsonb(ending.needsLook) : null)],
  ['warned', 'jsonb', ({ ending }) => jsonb(legible(ending.warnings))],
  ['served', 'json', ({ ending: { program } }) => (program ? jsonb(servedBy(program)) : null)],
  ['modes', 'json', ({ ending: { fieldModes } }) => (fieldModes ? jsonb(fieldModes) : null)],
  ['went', 'json', ({ ending: { path } }) => (path ? jsonb(path) : null)],
]

interface FencedEnding {
  readonly fence: RunFence
  readonly ending: Ending & { readonly warnings: readonly Warning[] }
  readonly texts: EndingTexts
}

const finishing = `update executions set status = given.ended, held_ending = null, response = given.answer, evidence = given.found, error = given.failure,
         usage = given.used, completed_at = ${endTime('given.now')}, ${withMove('given.move')}, completeness = given.covered, needs_look = given.look,
         warnings = warnings || (select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(given.warned) one
           where not executions.warnings @> jsonb_build_array(one)),
         field_modes = given.modes, program = given.served, path = given.went, execution_mode = case when given.served is null or given.served->'fields' is not null then execution_mode else 'program' end
     from unnest(${given.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ')}) with ordinality as given (${given.map(([name]) => name).join(', ')}, place)
     where workspace_id = given.workspace and id = given.execution and attempt = given.fence and status = any(string_to_array(given.before, ' '))
       and ${fewGiven}
     returning ${columns}, (place - 1)::integer as at`

/** Writes ends of several runs; gives each ended execution, or undefined where nothing was written. */
async function finishAll(sql: Sql, all: readonly FencedEnding[]): Promise<readonly (StoredRow | undefined)[]> {
  const rows = await sql.query<StoredRow>(
    finishing,
    given.map(([, , value]) => all.map(value)),
  )
  const ended: (StoredRow | undefined)[] = all.map(() => undefined)
  for (const row of rows) ended[Number(row['at'])] = row
  return ended
}

/** The serialised large values of an ending. */
export interface EndingTexts {
  readonly response: string
  readonly evidence: string | null
}

/** Serialises the large values of an ending before the transaction, which then only runs its statements. */
export async function textsOf({ response, evidence }: Pick<Ending, 'response' | 'evidence'>): Promise<EndingTexts> {
  return {
    response: await legibleText(response),
    evidence: evidence && (await legibleText(asJson(evidence))),
  }
}

/** An answer may come back in a request, as a case or in a conversation, so it must not contain anything that requests refuse. */
async function legibleText(value: Json): Promise<string> {
  const text = await largeJsonb(value)
  return isLegibleText(text) ? text : jsonb(legible(value))
}

/**
 * Writes the end and returns the ended execution. Undefined: the run had lost its lease, or the execution had ended otherwise; nothing was
 * written.
 */
export async function finishRun(
  sql: Sql,
  fence: RunFence,
  ending: Ending & { readonly warnings: readonly Warning[] },
  given?: EndingTexts,
): Promise<ExecutionState | undefined> {
  const texts = given ?? (await textsOf(ending))
  const row = await each(sql, finishAll, { fence, ending, texts })
  return row && stateOf(row)
}

/** Marks a new execution as the shadow of another. */
export async function markShadow(sql: Sql, of: Place & { shadowOf: string }): Promise<void> {
  await sql.query('update executions set shadow_of = $3 where workspace_id = $1 and id = $2', [
    of.workspaceId,
    of.id,
    of.shadowOf,
  ])
}
