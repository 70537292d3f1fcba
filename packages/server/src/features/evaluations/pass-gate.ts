import type { Gate } from '../skills/skills.ts'

/**
 * Why an evaluation does not pass a gate, in a sentence; undefined: it passes. `casesLeftOut`: known answers that it could have
 * run and did not, so that nobody passes a gate on the answers of his choice.
 */
export function refusedBy(
  gate: Gate | undefined,
  of: { cases: number; casesLeftOut: number; agreement: number; agreementBefore: number | null },
): string | undefined {
  if (gate === undefined)
    return 'publish_gate of skill.yaml should be a share from 0 to 1, or {agreement, cases, no_worse}'
  if (of.cases < gate.casesMin) return `The gate asks for ${gate.casesMin} known answers; there were ${of.cases}`
  if (of.casesLeftOut > 0) return `A gate is passed on all known answers; ${of.casesLeftOut} of them were left out`
  if (of.agreement < gate.agreement)
    return `The gate asks for an agreement of ${gate.agreement}; it was ${rounded(of.agreement)}`
  if (gate.noWorse && of.agreementBefore !== null && of.agreement < of.agreementBefore)
    return `The version before agrees on ${rounded(of.agreementBefore)}, this one on ${rounded(of.agreement)}`
  return undefined
}

const rounded = (share: number): number => Math.floor(share * 10_000) / 10_000
