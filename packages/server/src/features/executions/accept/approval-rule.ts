import { type ApprovalDemand, approvalWait } from '../../skills/skills.ts'
import type { ApprovalRule } from '../execution.ts'
import type { ExecuteRequest } from '../wire.ts'

type Asked = NonNullable<NonNullable<ExecuteRequest['config']>['require_approval']>

/** What `config.require_approval` asks for. */
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
 * What a request and its skills need an approval for together: none can take away what another asks for, the shortest time counts, and
 * nothing is approved by the passing of time unless all say so. Undefined: nothing needs one.
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
