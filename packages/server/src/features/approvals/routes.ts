import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { pageHeaders } from '../../adapters/http/page.ts'
import { pathInteger } from '../../adapters/http/query.ts'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { invalid, parsePart } from '../../adapters/http/validation.ts'
import {
  type ApprovalDecision,
  approversOf,
  type ExecutionState,
  executionRecord,
  loadExecution,
  readOnce,
  recordOf,
  shapedRecord,
} from '../executions/executions.ts'
import { type Signing, signedClaim } from '../files/files.ts'
import { findActor, listApprovers } from '../keys/keys.ts'
import { type DecideParts, decide } from './decide.ts'
import { askingPage, decidedPage, refusedPage } from './page.ts'

export interface ApprovalRouteParts extends Omit<DecideParts, 'db'>, Signing {}

const comment = z.string().max(2_000).nullish()
const decideRequest = z
  .object({
    comment,
    number: z
      .int()
      .min(1)
      .nullish()
      .describe('The approval.number that you have seen; the call is refused if it has changed'),
  })
  .nullish()
  .meta({ id: 'DecideRequest' })

/** Decisions on executions that wait for an approval. */
export function approvalRoutes(parts: ApprovalRouteParts): Route[] {
  return [
    decideRoute(parts, {
      verb: 'approve',
      summary: 'Approve what an execution waits for; a second call returns the first decision',
    }),
    decideRoute(parts, { verb: 'reject', summary: 'Reject what an execution waits for; it fails as rejected' }),
    approversRoute(parts),
    linkRoute(parts),
    linkDecisionRoute(parts),
  ]
}

function decideRoute(parts: ApprovalRouteParts, { verb, summary }: { verb: ApprovalDecision; summary: string }): Route {
  return route({
    method: 'post',
    path: `/v1/agent/executions/{id}/${verb}`,
    operation: `${verb}Execution`,
    tag: 'approvals',
    scope: 'approve',
    summary,
    params: z.object({ id: z.string() }),
    body: decideRequest,
    reply: { status: 200, description: 'The execution', schema: executionRecord },
    failures: [404, 409],
    handle: async ({ db, caller, params, body, headers }) => {
      const { workspaceId, keyId } = caller
      if (caller.user && caller.user.role !== 'admin')
        refuseOthers({ role: caller.user.role, keyId }, await loadExecution({ db }, { workspaceId, id: params.id }))
      const by = (await findActor(db, { workspaceId, keyId })) ?? null
      const { execution } = await decide(
        { ...parts, db },
        {
          ...{ workspaceId, id: params.id, decision: verb, by, via: 'api' },
          comment: body?.comment ?? null,
          number: body?.number ?? null,
        },
      )
      return { json: shapedRecord(recordOf(await readOnce({ ...parts, db }, execution)), headers) }
    },
  })
}

/** Fault `forbidden` for a user whose role may not decide on this execution, or who started it. */
function refuseOthers({ role, keyId }: { role: string; keyId: string }, execution: ExecutionState): void {
  const approvers: readonly string[] = approversOf(execution.approval ?? {})
  if (!approvers.includes(role))
    throw new Fault(
      'forbidden',
      'not_an_approver',
      `You are ${role} in this workspace; only ${approvers.join(', ')} may decide on this execution`,
    )
  if (execution.keyId === keyId)
    throw new Fault('forbidden', 'own_execution', 'You started this execution: somebody else has to decide on it')
}

function approversRoute({ clock }: Pick<ApprovalRouteParts, 'clock'>): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}/approvers',
    operation: 'listApprovers',
    tag: 'approvals',
    scope: 'read',
    summary: 'List the keys and users that may approve or reject this execution',
    params: z.object({ id: z.string() }),
    reply: {
      status: 200,
      description: 'The keys and users',
      schema: z.array(z.object({ kind: z.enum(['key', 'user']), id: z.string(), name: z.string() })),
    },
    failures: [404],
    handle: async ({ db, caller: { workspaceId }, params }) => {
      const { approval, keyId } = await loadExecution({ db }, { workspaceId, id: params.id })
      const of = { workspaceId, roles: approversOf(approval ?? {}), startedBy: keyId, now: clock.now() }
      return { json: await listApprovers(db, of) }
    },
  })
}

const linkParams = z.object({ id: z.string() })
const linkQuery = z.object({
  number: pathInteger({ min: 1, max: 1_000_000 }, 'Number of the decision'),
  workspace: z.string(),
  expires: z.string(),
  signature: z.string(),
})
const page = { status: 200, description: 'A page', contentType: 'text/html' }

/** Link previews and scanners must not decide anything: this route only shows what waits. */
function linkRoute(parts: ApprovalRouteParts): Route {
  return route({
    method: 'get',
    path: '/v1/public/approvals/{id}',
    operation: 'showApproval',
    tag: 'approvals',
    scope: 'public',
    summary: 'Show what waits for a decision, by the signed approval_url of a callback; it decides nothing',
    params: linkParams,
    query: linkQuery,
    reply: page,
    failures: [403, 410],
    handle: async ({ db, params, query, headers }) => {
      const found = await openLink(parts, { db, id: params.id, query })
      if ('refusal' in found)
        return shown(found.refusal.status, refusedPage(found.refusal.detail), headers, found.refusal)
      const { name, approval, response } = found.execution
      if (!approval) return shown(410, refusedPage(gone), headers, { detail: gone })
      const json = { execution_id: found.execution.id, name, approval: recordOf(found.execution).approval, response }
      return shown(200, askingPage({ name, approval, response }), headers, json)
    },
  })
}

/** Limit of the form, in bytes. */
const formBytesMax = 64 * 1024

function linkDecisionRoute(parts: ApprovalRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/public/approvals/{id}',
    operation: 'decideByLink',
    tag: 'approvals',
    scope: 'public',
    summary:
      'Decide by the signed approval_url of a callback, once: `decision` (approve or reject) and `comment` as JSON or as a form',
    params: linkParams,
    query: linkQuery,
    body: 'stream',
    reply: page,
    failures: [403, 410],
    handle: async ({ db, params, query, headers, stream }) => {
      const found = await openLink(parts, { db, id: params.id, query })
      if ('refusal' in found)
        return shown(found.refusal.status, refusedPage(found.refusal.detail), headers, found.refusal)
      const { decision, comment: said } = readForm(await textOf(stream), headers['content-type'] ?? '')
      const call = { workspaceId: found.workspaceId, id: params.id, decision, by: null, via: 'link' as const }
      const { execution, isFirst } = await decide(
        { ...parts, db: found.db },
        { ...call, number: query.number, comment: said ?? null },
      )
      if (!isFirst) return shown(410, refusedPage(gone), headers, { detail: gone })
      const json = { execution_id: execution.id, status: execution.status, approval: recordOf(execution).approval }
      return shown(200, decidedPage(decision), headers, json)
    },
  })
}

const gone = 'This link was used already, or its time is over'

/** HTML for people, JSON for programs that ask for it. */
function shown(
  status: number,
  html: string,
  headers: Readonly<Record<string, string | undefined>>,
  json: object,
): Reply {
  const wantsJson = (headers['accept'] ?? '').includes('application/json')
  if (!wantsJson) return { status, stream: Readable.from([Buffer.from(html)]), headers: pageHeaders }
  const text = JSON.stringify('detail' in json ? { detail: json.detail } : json)
  return {
    status,
    stream: Readable.from([Buffer.from(text)]),
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  }
}

type Opened =
  | { readonly refusal: { readonly status: 403 | 410; readonly detail: string } }
  | { readonly db: Db; readonly workspaceId: string; readonly execution: ExecutionState }

/** The execution of a decision link, while it waits for that decision. */
async function openLink(
  parts: ApprovalRouteParts,
  of: { db: Db; id: string; query: z.infer<typeof linkQuery> },
): Promise<Opened> {
  const { number, ...signed } = of.query
  const { expires } = signed
  const isOver = /^\d{1,12}$/.test(expires) && Number(expires) * 1000 <= parts.clock.now().getTime()
  const shownLink = { use: `approval ${number}` as const, id: of.id, query: signed }
  const claim = signedClaim(parts, shownLink)
  if (!claim)
    return isOver
      ? { refusal: { status: 410, detail: gone } }
      : { refusal: { status: 403, detail: 'The signature of this link is wrong' } }
  const db = of.db.within(claim.workspaceId)
  const execution = isId(of.id)
    ? await loadExecution({ db }, { workspaceId: claim.workspaceId, id: of.id }).catch(() => undefined)
    : undefined
  const approval = execution?.approval
  const waits = execution?.status === 'paused' && approval?.number === number && approval.decision === null
  return execution && waits
    ? { db, workspaceId: claim.workspaceId, execution }
    : { refusal: { status: 410, detail: gone } }
}

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += (part as Buffer).length
    if (bytes > formBytesMax) throw invalid(['body'], `Input should be at most ${formBytesMax} bytes`)
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString()
}

const form = z.object({ decision: z.enum(['approve', 'reject']), comment })

function readForm(text: string, contentType: string): z.infer<typeof form> {
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return parsePart(form, Object.fromEntries(new URLSearchParams(text)), 'body')
  try {
    return parsePart(form, JSON.parse(text), 'body')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid(['body'], 'Input should be JSON such as {"decision": "approve"}', { type: 'json_invalid' })
  }
}
