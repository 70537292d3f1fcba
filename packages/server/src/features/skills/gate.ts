import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { type Role, roles } from '../../adapters/http/route.ts'

/**
 * Whether a new version waits for an evaluation: it sets a gate itself, or the latest does, so that a version made from a prompt or a
 * session cannot bypass it. `latest` undefined: nothing to compare with.
 */
export const waitsAtGate = (own: Json, latest: Json | undefined): boolean =>
  latest !== undefined && (own !== null || latest !== null)

/** What an evaluation must show before `latest` moves to its version. */
export interface Gate {
  /** The share of fields, 0 to 1, that must agree with the cases. */
  readonly agreement: number
  /** Minimum number of compared cases. */
  readonly casesMin: number
  /** Must agree on at least as much as the previous version on the same cases. */
  readonly noWorse: boolean
  /** Minimum for the anytime-valid lower bound of its lift over the previous version; null: none. */
  readonly liftMin: number | null
}

/**
 * Parses `publish_gate` of `skill.yaml`: a share from 0 to 1, or `{agreement, cases, no_worse, min_lift}` with defaults 1 for `cases`, true
 * for `no_worse` and none for `min_lift`. Null: no gate. Undefined: invalid, so nothing passes it.
 */
export function readGate(value: Json): Gate | null | undefined {
  if (value === null) return null
  const {
    agreement = 1,
    cases = 1,
    no_worse = true,
    min_lift = null,
  } = isJsonObject(value) ? value : { agreement: value }
  if (typeof agreement !== 'number' || agreement < 0 || agreement > 1) return undefined
  if (typeof cases !== 'number' || !Number.isInteger(cases) || cases < 1 || typeof no_worse !== 'boolean')
    return undefined
  if (min_lift !== null && (typeof min_lift !== 'number' || min_lift < 0 || min_lift > 1)) return undefined
  return { agreement, casesMin: cases, noWorse: no_worse, liftMin: min_lift }
}

/** What needs a person's approval in the runs of a skill. */
export interface ApprovalDemand {
  readonly completion: boolean
  /** Dotted names of tools. */
  readonly tools: readonly string[]
  /** Null: not specified. */
  readonly timeoutSeconds: number | null
  readonly onTimeout: 'approve' | 'reject' | null
  /** Roles of the users who may decide, besides admins. Null, and absent in older rows: not specified. */
  readonly approvers?: readonly Role[] | null
}

/** Bounds of the approval timeout, in seconds. */
export const approvalWait = { min: 1, max: 7 * 24 * 3_600, fallback: 72 * 3_600 }

/**
 * Parses `require_approval` of `skill.yaml`: `completion`, or `{completion, tools, timeout_seconds, on_timeout, approvers}` as in a request. Null: no
 * approval needed. Undefined: invalid.
 */
export function readApprovalDemand(value: Json): ApprovalDemand | null | undefined {
  if (value === null) return null
  if (value === 'completion')
    return { completion: true, tools: [], timeoutSeconds: null, onTimeout: null, approvers: null }
  if (!isJsonObject(value)) return undefined
  const {
    completion = null,
    tools = null,
    timeout_seconds: seconds = null,
    on_timeout: onTimeout = null,
    approvers = null,
    ...rest
  } = value
  if (Object.keys(rest).length > 0 || (completion !== null && typeof completion !== 'boolean')) return undefined
  const names = tools ?? []
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return undefined
  if (seconds !== null && !(typeof seconds === 'number' && seconds >= approvalWait.min && seconds <= approvalWait.max))
    return undefined
  if (onTimeout !== null && onTimeout !== 'approve' && onTimeout !== 'reject') return undefined
  if (approvers !== null && !(Array.isArray(approvers) && approvers.length > 0 && approvers.every(isRole)))
    return undefined
  return { completion: completion ?? false, tools: names, timeoutSeconds: seconds, onTimeout, approvers }
}

const isRole = (value: Json): value is Role => roles.some((role) => role === value)
