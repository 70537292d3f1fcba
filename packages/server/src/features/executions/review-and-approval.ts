import type { Json } from '@skillrun/core/json.ts'
import type { RowOrigins } from '@skillrun/core/list-rows.ts'
import { z } from 'zod'
import { type Role, roles } from '../../adapters/http/route.ts'
import { anyJson } from './any-json.ts'

/** The actor of an action. */
export interface Actor {
  readonly kind: 'key' | 'user'
  readonly id: string
  readonly name: string
}

const actor: z.ZodType<Actor> = z.object({ kind: z.enum(['key', 'user']), id: z.string(), name: z.string() })

/** When an answer enters the review queue, and what a review triggers. */
export interface ReviewRule {
  /** An answer with a value below this confidence (0 to 1) needs a review. */
  readonly below: number
  /** A reviewed answer becomes a case of the first skill of the execution. */
  readonly addCases: boolean
}

/** One reviewed value of an answer, against the original. */
export interface ReviewChange {
  /** JSON Pointer into the response. */
  readonly path: string
  readonly from: Json
  readonly to: Json
  readonly kind: 'corrected' | 'confirmed' | 'absent'
  /** Of a list whose rows were corrected: where its rows come from. Absent in older rows. */
  readonly rows?: RowOrigins | undefined
}

/** State of the review of an answer. */
export interface Review {
  readonly status: 'needed' | 'done'
  /** Number of saved reviews; 0: none yet. */
  readonly version: number
  readonly by: Actor | null
  /** ISO 8601. */
  readonly at: string | null
  readonly changes: readonly ReviewChange[]
}

export const review: z.ZodType<Review> = z.looseObject({
  status: z.enum(['needed', 'done']),
  version: z.number(),
  by: actor.nullable(),
  at: z.string().nullable(),
  changes: z.array(
    z.looseObject({
      path: z.string(),
      from: anyJson,
      to: anyJson,
      kind: z.enum(['corrected', 'confirmed', 'absent']),
      rows: z.array(z.number().nullable()).optional(),
    }),
  ),
})

/** What needs a person's approval. */
export interface ApprovalRule {
  readonly completion: boolean
  /** Dotted names of tools that need an approval before each call. */
  readonly tools: readonly string[]
  /** How long a decision may take, and the default after that. */
  readonly timeoutSeconds: number
  readonly onTimeout: ApprovalDecision
  /** Roles of the users who may decide. Absent in older rows: admins. */
  readonly approvers?: readonly Role[]
}

/** Roles of the users who may decide. */
export const approversOf = ({ approvers }: Pick<Approval, 'approvers'>): readonly Role[] => approvers ?? ['admin']

/** Receiver of the callback when a run waits for a decision. */
export interface HoldNotice {
  /** Public address of this server, for the link in the callback. */
  readonly origin: string
  /** The receiver of the execution, or else of its batch. */
  readonly callbackUrl: string
}

export type ApprovalDecision = 'approve' | 'reject'

/** The current or latest decision of a run. */
export interface Approval {
  /** Number of decisions that this execution requested, from 1. */
  readonly number: number
  readonly waitingFor: 'completion' | 'tool'
  readonly tool: string | null
  readonly input: Json
  /** ISO 8601. */
  readonly since: string
  readonly expiresAt: string
  readonly onTimeout: ApprovalDecision
  /** Null: pending. */
  readonly decision: ApprovalDecision | null
  /** Null: expired, or decided through a signed link. */
  readonly by: Actor | null
  readonly via: 'api' | 'link' | 'timeout' | null
  readonly at: string | null
  readonly comment: string | null
  /** The tool call to decide on. */
  readonly call: string | null
  /** Approved tool calls that are not made yet. */
  readonly granted: readonly string[]
  /** Roles of the users who may decide. Absent in older rows: admins. */
  readonly approvers?: readonly Role[] | undefined
}

const decision = z.enum(['approve', 'reject'])
export const anyApproval: z.ZodType<Approval> = z.looseObject({
  number: z.number(),
  waitingFor: z.enum(['completion', 'tool']),
  tool: z.string().nullable(),
  input: anyJson,
  since: z.string(),
  expiresAt: z.string(),
  onTimeout: decision,
  decision: decision.nullable(),
  by: actor.nullable(),
  via: z.enum(['api', 'link', 'timeout']).nullable(),
  at: z.string().nullable(),
  comment: z.string().nullable(),
  call: z.string().nullable(),
  granted: z.array(z.string()),
  approvers: z.array(z.enum(roles)).optional(),
})
