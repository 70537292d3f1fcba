import { roles } from '../../../adapters/http/route.ts'
import { type ApprovalDemand, approvalWait } from '../../skills/skills.ts'
import { type ApprovalRule, approversOf } from '../review-and-approval.ts'
import type { ExecuteRequest } from '../wire/request.ts'

type Asked = NonNullable<NonNullable<ExecuteRequest['config']>['require_approval']>

/** The rule of `config.require_approval`. */
export function approvalRuleOf(asked: Asked): ApprovalRule {
  const fields: Exclude<Asked, string> = asked === 'completion' ? { completion: true } : asked
  return ruleOf({
    completion: fields.completion ?? false,
    tools: fields.tools ?? [],
    timeoutSeconds: fields.timeout_seconds ?? null,
    onTimeout: fields.on_timeout ?? null,
    approvers: fields.approvers ?? null,
  })
}

const ruleOf = ({ completion, tools, timeoutSeconds, onTimeout, approvers }: ApprovalDemand): ApprovalRule => ({
  completion,
  tools,
  timeoutSeconds: timeoutSeconds ?? approvalWait.fallback,
  onTimeout: onTimeout ?? 'reject',
  approvers: roles.filter((role) => role === 'admin' || approvers?.includes(role)),
})

/**
 * Combines the approval rules of a request and its skills: none can weaken another, the shortest deadline counts, expiry approves only
 * if all say so, and those may decide who may by all. Undefined: no approval needed.
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
    approvers: roles.filter((role) => rules.every((rule) => approversOf(rule).includes(role))),
    onTimeout: rules.every(({ onTimeout }) => onTimeout === 'approve') ? 'approve' : 'reject',
  }
}
