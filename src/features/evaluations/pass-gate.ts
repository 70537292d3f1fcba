import type { Gate } from '../skills/skills.ts'

/** Why an evaluation does not pass a gate, in a sentence; undefined: it passes. */
export function refusedBy(
  gate: Gate | undefined,
  of: { cases: number; agreement: number; agreementBefore: number | null },
): string | undefined {
  if (gate === undefined)
    return 'publish_gate of skill.yaml should be a share from 0 to 1, or {agreement, cases, no_worse}'
  if (of.cases < gate.casesMin) return `The gate asks for ${gate.casesMin} known answers; there were ${of.cases}`
  if (of.agreement < gate.agreement)
    return `The gate asks for an agreement of ${gate.agreement}; it was ${rounded(of.agreement)}`
  if (gate.noWorse && of.agreementBefore !== null && of.agreement < of.agreementBefore)
    return `The version before agrees on ${rounded(of.agreementBefore)}, this one on ${rounded(of.agreement)}`
  return undefined
}

const rounded = (share: number): number => Math.floor(share * 10_000) / 10_000
