import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { type Json, valueAt } from '@skillrun/core/json.ts'
import { originalPlace, type RowOrigins } from '@skillrun/core/list-rows.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { recordAction } from '../audit/audit.ts'
import { addJudged } from '../cheapest-path/cheapest-path.ts'
import { addReviewedCase, type OnCase } from '../evaluations/evaluations.ts'
import {
  announceReview,
  type Execution,
  type ExecutionRequest,
  type ExecutionState,
  isReviewable,
  loadOriginal,
  mayTrain,
  type Review,
  refuseUnretained,
  unmarked,
  withSkills,
  writeReview,
} from '../executions/executions.ts'
import { findActor } from '../keys/keys.ts'
import type { Judging } from '../programs/programs.ts'
import { type Correction, followRows, isAgreed, mergedChanges, rowsBetween } from './apply-changes.ts'
import { calibrateSettings, judgedValues } from './calibrate.ts'
import { applied, checked } from './checked-answer.ts'
import { fieldCounts } from './field-counts.ts'
import { lessonOfReview } from './judge-path.ts'
import { unknownFieldRefuser } from './known-fields.ts'
import { refuseUnknownPlaces } from './marked-places.ts'
import { busyMsOf, holdItem, refuseOthersClaim } from './queue.ts'
import { findRule } from './settings.ts'
import { endItem, findComment, insertItem, insertReview, listEdits, lockItem, type SavedChange } from './store.ts'

export interface SaveParts {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Pick<Queue, 'add'>
  readonly processPool: ProcessPool
  readonly judging: Pick<Judging, 'compare' | 'settle'>
  readonly onCase: Pick<OnCase, 'add'>
}

/** A requested change. */
export interface GivenChange {
  readonly path: string
  readonly kind?: 'corrected' | 'confirmed' | 'absent' | null | undefined
  readonly value?: unknown
  readonly candidate?: number | null | undefined
  /** Of a list: the index in the list before of each row; null: a new one. */
  readonly rows?: RowOrigins | null | undefined
  readonly input?: string | null | undefined
  readonly page?: number | null | undefined
  readonly bbox?: readonly number[] | null | undefined
}

export interface SaveCall {
  readonly workspaceId: string
  readonly keyId: string
  readonly id: string
  readonly changes: readonly GivenChange[]
  readonly done: boolean
  readonly comment: string | null
  readonly claim: number | null
  /** The version that the caller has seen; null: any. */
  readonly ifVersion: number | null
  readonly signal: AbortSignal
}

/** A complete review before it is written. */
interface Prepared {
  readonly original: Execution
  readonly version: number
  readonly reviewed: Json
  readonly changes: readonly SavedChange[]
  /** Of each change in the response; undefined: in an added row. */
  readonly places: readonly (string | undefined)[]
}

/** How often a review without a version is retried on top of concurrent ones. */
const triesMax = 5

/**
 * Saves a review beside the answer of an execution and returns the execution. Throws ValidationFailures at the change, and Faults `missing`
 * and `conflict` (no answer to review, a stale version, another key's claim).
 */
export async function saveReview(parts: SaveParts, call: SaveCall): Promise<ExecutionState> {
  for (let n = 1; ; n += 1) {
    const original = await loadReviewable(parts, call)
    const version = original.review?.version ?? 0
    if (call.ifVersion !== null && call.ifVersion !== version) throw stale(call.ifVersion, version)
    const prepared = await prepare(parts, call, original)
    if (await isRepeated(parts, call, prepared)) return original
    const saved = await write(parts, call, prepared)
    if (saved) return saved
    if (n === triesMax)
      throw new Fault('conflict', 'review_busy', 'Others are saving reviews of this execution; try again')
  }
}

/** Whether a finished review says the same already, as after a double click or a retry. */
async function isRepeated(
  { db }: Pick<SaveParts, 'db'>,
  { workspaceId, keyId, done, comment }: SaveCall,
  { original, reviewed, changes, places }: Prepared,
): Promise<boolean> {
  const { review } = original
  if (!done || review?.status !== 'done') return false
  if (!isDeepStrictEqual(reviewed, original.reviewedResponse)) return false
  const saved = { workspaceId, executionId: original.id, version: review.version, keyId }
  if (comment !== null && comment !== (await findComment(db, saved))) return false
  return changes.every((change, at) => {
    const place = places[at]
    // In an added row: the change of its list has it.
    return place === undefined || review.changes.some(({ path, kind }) => path === place && kind === change.kind)
  })
}

const stale = (given: number, version: number): Fault =>
  new Fault(
    'conflict',
    'stale_review',
    `The review now has version ${version}, not ${given}: somebody else has saved one. Load the execution again, and apply your changes to it`,
  )

async function loadReviewable({ db }: SaveParts, { workspaceId, id: given }: SaveCall): Promise<Execution> {
  const original = await loadOriginal(db, { workspaceId, id: given })
  refuseUnretained(original)
  if (!isReviewable(original))
    throw new Fault(
      'conflict',
      'not_reviewable',
      'This execution has no answer to review: only completed executions, and failed ones with a response, can be reviewed; chat turns cannot',
    )
  return original
}

async function prepare(parts: SaveParts, call: SaveCall, original: Execution): Promise<Prepared> {
  const before = original.reviewedResponse ?? original.response
  await refuseUnknownPlaces(parts.db, original, call.changes)
  const settled = settledChanges(call, original, before)
  const { schema } = withSkills(original.request)
  const edits = settled.map(({ edit }) => edit)
  const reviewed = await checked(parts, { before, edits, schema, signal: call.signal })
  return {
    original,
    version: (original.review?.version ?? 0) + 1,
    reviewed,
    changes: settled.map(({ saved }) => saved),
    places: settled.map(({ place }) => place),
  }
}

/** Each change as it is on the answer that those before it left. Throws ValidationFailures. */
function settledChanges(
  { changes, ifVersion }: SaveCall,
  original: Execution,
  before: Json,
): readonly { readonly edit: Correction; readonly saved: SavedChange; readonly place: string | undefined }[] {
  const followed = followRows(original.response, original.review?.changes ?? [])
  const refuseUnknownField = unknownFieldRefuser(withSkills(original.request).schema)
  let state = before
  return changes.map((change, at) => {
    const edit = settle(change, { original, before: state, origins: followed.origins, at })
    const { path, kind } = edit
    const was = valueAt(state, path)
    if (was === undefined) refuseUnknownField(path, at)
    const rows = rowsOf({ edit, given: change.rows, at, was, ifVersion, request: original.request })
    state = applied(state, edit, at)
    const to = valueAt(state, path) ?? null
    const place = followed.add({ path, kind, rows, to })
    const { input, page, bbox } = change
    const saved = {
      path,
      from: was ?? null,
      to,
      kind,
      ...(rows ? { rows } : {}),
      ...(input ? { input } : {}),
      ...(typeof page === 'number' ? { page } : {}),
      ...(bbox ? { bbox } : {}),
    }
    return { edit, saved, place }
  })
}

/** Where the rows of a corrected list come from; undefined for any other change. Throws ValidationFailures. */
function rowsOf(of: {
  edit: Correction
  given: RowOrigins | null | undefined
  at: number
  was: Json | undefined
  ifVersion: number | null
  request: ExecutionRequest
}): RowOrigins | undefined {
  const { edit, given, was } = of
  const before = Array.isArray(was) ? was : []
  const after = edit.kind === 'corrected' && Array.isArray(edit.value) ? edit.value : undefined
  if (!given) return after && rowsBetween(before, after)
  const refuse = (message: string) =>
    invalid(['body', 'changes', of.at, 'rows'], `${edit.path}: ${message}`, { input: [...given] })
  if (!after) throw refuse('only a list as the value has rows')
  if (of.ifVersion === null)
    throw refuse('rows name those of one version of the list; send that version in the header If-Match')
  if (given.length !== after.length) throw refuse(`the value has ${after.length} rows, and rows names ${given.length}`)
  const kept = given.filter((row) => row !== null)
  if (new Set(kept).size < kept.length) throw refuse('each row of the list can be kept once')
  if (kept.some((row) => row >= before.length)) throw refuse(`the list had ${before.length} rows`)
  const values = (rows: readonly Json[]) => unmarked(of.request, [...rows]) as readonly Json[]
  const [old, now] = [values(before), values(after)]
  const other = given.findIndex((row, at) => row !== null && !isDeepStrictEqual(now[at], old[row]))
  if (other >= 0)
    throw refuse(
      `row ${other} of the value differs from the row that it was; correct the values of kept rows by their own paths`,
    )
  return given
}

/** The new value of a change. */
function settle(
  change: GivenChange,
  of: { original: Execution; before: Json; origins: ReadonlyMap<string, RowOrigins>; at: number },
): Correction {
  const { path, candidate } = change
  const loc = ['body', 'changes', of.at]
  const value = (change.value ?? null) as Json
  const kind = change.kind ?? (value === null && typeof candidate !== 'number' ? 'absent' : 'corrected')
  if (kind === 'confirmed') {
    const current = valueAt(of.before, path)
    if (current === undefined) throw invalid([...loc, 'path'], `${path} is not in the response`, { input: path })
    if (value !== null && !isAgreed({ path, kind, from: current, to: value }))
      throw invalid([...loc, 'value'], `${path} has another value; leave the value out, or use the kind corrected`, {
        input: value,
      })
    return { path, kind, value: current }
  }
  if (kind === 'absent') {
    if (value !== null)
      throw invalid([...loc, 'value'], `${path}: a value that is not in the document has no value; leave it out`)
    return { path, kind, value: null }
  }
  if (typeof candidate !== 'number') {
    if (value === null)
      throw invalid(
        [...loc, 'value'],
        `${path}: a correction needs a value, or the index of a candidate; where the document has no value, use the kind absent`,
        { type: 'missing' },
      )
    return { path, kind, value }
  }
  const place = originalPlace(of.origins, path) ?? ''
  const offered = of.original.evidence?.[place]?.candidates ?? []
  const chosen = offered[candidate]
  if (!chosen)
    throw invalid(
      [...loc, 'candidate'],
      offered.length === 0
        ? `The evidence of ${path} has no candidates; give a value`
        : `The evidence of ${path} has candidates 0 to ${offered.length - 1}`,
      { input: candidate },
    )
  return { path, kind, value: chosen.value }
}

/** Writes a review, its consequences, and the callback. Undefined: a concurrent review was saved first. */
async function write(parts: SaveParts, call: SaveCall, prepared: Prepared): Promise<ExecutionState | undefined> {
  const { db, clock, queue } = parts
  const { workspaceId, keyId } = call
  const { original, version, reviewed, changes } = prepared
  const executionId = original.id
  const by = await findActor(db, { workspaceId, keyId })
  const isDone = call.done || original.review?.status === 'done'
  const learns = isDone && mayTrain(original.request)
  const judged = { workspaceId, executionId, judge: 'human' as const }
  const wrong = learns
    ? await parts.judging.compare(db, { ...judged, response: reviewed, signal: call.signal })
    : undefined
  const lesson = learns
    ? await lessonOfReview(parts.processPool, { original, reviewed, signal: call.signal })
    : undefined
  const rule = learns
    ? (original.request.review ?? (await findRule(db, { workspaceId, skillName: original.skills[0]?.name ?? null })))
    : undefined
  return db.transaction(async (tx) => {
    const now = clock.now()
    const merged = mergedChanges(original.response, reviewed, [
      ...(await listEdits(tx, { workspaceId, executionId })),
      ...changes,
    ])
    const review: Review = {
      status: isDone ? 'done' : 'needed',
      version,
      by: by ?? null,
      at: now.toISOString(),
      changes: merged,
    }
    const written = await writeReview(tx, {
      ...{ workspaceId, id: executionId, reviewedResponse: reviewed, review },
      path: lesson?.path ?? null,
    })
    if (!written) return undefined
    await insertReview(tx, {
      ...{ workspaceId, executionId, version, keyId, now },
      isDone: call.done,
      comment: call.comment,
      changes,
    })
    await settleItem(tx, { call, written, now })
    if (wrong) await parts.judging.settle(tx, { ...judged, fields: wrong, now })
    if (lesson) await addJudged(tx, { ...lesson, now })
    const skillId = original.skills[0]?.id
    if (rule?.addCases && skillId)
      await addReviewedCase(tx, { workspaceId, keyId, skillId, executionId, response: reviewed, now }, parts.onCase)
    await recordAction(tx, {
      ...{ workspaceId, keyId, action: 'review.save', subjectId: executionId, now },
      detail: { version, changes: changes.length, done: call.done },
    })
    await announceReview({ tx, queue }, written, now)
    return written
  })
}

/** Updates the queue after a review, which renews the claim of its reviewer or ends it. */
async function settleItem(tx: Sql, of: { call: SaveCall; written: ExecutionState; now: Date }): Promise<void> {
  const { call, written, now } = of
  const place = { workspaceId: call.workspaceId, executionId: written.id }
  await insertItem(tx, { ...place, skill: written.skills[0], reasons: [], lowest: null, now })
  const item = await lockItem(tx, place)
  if (!item) return
  refuseOthersClaim(item, call, now)
  if (written.review?.status !== 'done') {
    const { keyId } = call
    // Also a claim that has lapsed, unless the item was assigned to another since.
    if (item.claimedBy?.id === keyId && (item.assignedTo?.id ?? keyId) === keyId)
      await holdItem(tx, { ...call, item, now })
    return
  }
  const fields = fieldCounts(written.response, written.review.changes, written.reviewedResponse)
  const judged = judgedValues(written.evidence, written.review.changes)
  await endItem(tx, { ...place, by: call.keyId, now, busyMs: busyMsOf(item, now), fields, judged })
  const { workspaceId } = call
  if (judged.length > 0) await calibrateSettings(tx, { workspaceId, skillName: item.skillName, now })
}
