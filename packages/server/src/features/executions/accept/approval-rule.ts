import { type ApprovalDemand, approvalWait } from '../../skills/skills.ts'
import type { ApprovalRule } from '../execution.ts'
import type { ExecuteRequest } from '../wire.ts'

type Asked = NonNullable<NonNullable<ExecuteRequest['config']>['require_approval']>

/** The rule of `config.require_approval`. */
export function approvalRuleOf(asked: Asked): ApprovalRule {
  const fields: Exclude<Asked, string> = asked === 'completion' ? { completion: true } : asked
  return ruleOf({
    completion: fields.completion ?? false,
    tools: fields.tools ?? [],
    timeoutSeconds: fields.timeout_seconds ?? null,
    onTimeout: fields.on_timeout ?? null,
  })
}

const ruleOf = ({ completion, tools, timeoutSeconds, onTimeout }: ApprovalDemand): ApprovalRule => ({
  completion,
  tools,
  timeoutSeconds: timeoutSeconds ?? approvalWait.fallback,
  onTimeout: onTimeout ?? 'reject',
})

/**
 * Combines the approval rules of a request and its skills: none can weaken another, the shortest deadline counts, and expiry approves only
 * if all say so. Undefined: no approval needed.
 */
export function approvalRuleWith(
  asked: ApprovalRule | null | undefined,
  demands: readonly (ApprovalDemand | null | undefined)[],
): ApprovalRule | undefined {
  const rules = [asked, ...demands.map((demand) => demand && ruleOf(demand))].filter((rule) => !!rule)
  if (rules.length === 0) return undefined
  return {
    completion: rules.some(({ completion }) => completion),
    tools: [...new Set(rules.flatMap(({ tools }) => tools))],
    timeoutSeconds: Math.min(...rules.map(({ timeoutSeconds }) => timeoutSeconds)),
    onTimeout: rules.every(({ onTimeout }) => onTimeout === 'approve') ? 'approve' : 'reject',
  }
}
