import { isJsonObject, type Json } from '@skillrun/core/json.ts'

/**
 * Whether a new version waits for an evaluation: it sets a gate itself, or the latest does, which one that was made from a prompt or
 * a session would else slip by. `latest` undefined: there is nothing to be compared with.
 */
export const waitsAtGate = (own: Json, latest: Json | undefined): boolean =>
  latest !== undefined && (own !== null || latest !== null)

/** What an evaluation must show before `latest` moves to the version that it was of. */
export interface Gate {
  /** The share of fields, 0 to 1, that must agree with the known answers. */
  readonly agreement: number
  /** Known answers that it must have been compared on. */
  readonly casesMin: number
  /** It may not agree on less than the version before does on the same known answers. */
  readonly noWorse: boolean
  /** The lower bound of its lift over the version before, which holds at every look, must reach this; null: no such demand. */
  readonly liftMin: number | null
}

/**
 * Reads `publish_gate` of `skill.yaml`: a share from 0 to 1 alone, or `{agreement, cases, no_worse, min_lift}`, where `cases` is 1,
 * `no_worse` true and `min_lift` absent unless it says so. Null: no gate is set. Undefined: what is set is no gate, and nothing passes it.
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

/** What of its runs a skill wants a person to approve. */
export interface ApprovalDemand {
  readonly completion: boolean
  /** Dotted names of tools. */
  readonly tools: readonly string[]
  /** Null: it says nothing of it. */
  readonly timeoutSeconds: number | null
  readonly onTimeout: 'approve' | 'reject' | null
}

/** How long an approval may be waited for, in seconds. */
export const approvalWait = { min: 1, max: 7 * 24 * 3_600, fallback: 72 * 3_600 }

/**
 * Reads `require_approval` of `skill.yaml`: `completion`, or `{completion, tools, timeout_seconds, on_timeout}` as in a request. Null:
 * nothing needs an approval. Undefined: what is set cannot be read.
 */
export function readApprovalDemand(value: Json): ApprovalDemand | null | undefined {
  if (value === null) return null
  if (value === 'completion') return { completion: true, tools: [], timeoutSeconds: null, onTimeout: null }
  if (!isJsonObject(value)) return undefined
  const {
    completion = null,
    tools = null,
    timeout_seconds: seconds = null,
    on_timeout: onTimeout = null,
    ...rest
  } = value
  if (Object.keys(rest).length > 0 || (completion !== null && typeof completion !== 'boolean')) return undefined
  const names = tools ?? []
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return undefined
  if (seconds !== null && !(typeof seconds === 'number' && seconds >= approvalWait.min && seconds <= approvalWait.max))
    return undefined
  if (onTimeout !== null && onTimeout !== 'approve' && onTimeout !== 'reject') return undefined
  return { completion: completion ?? false, tools: names, timeoutSeconds: seconds, onTimeout }
}
