import type { Gate } from '../skills/skills.ts'

/**
 * Why an evaluation does not pass a gate, in a sentence; undefined when it passes. `casesLeftOut`: cases that it could have run and did
 * not, so that nobody can pass a gate with chosen cases. `beforeOutside`: runs of the previous version that failed for reasons outside of
 * it: they would make any version look better.
 */
export function refusedBy(
  gate: Gate | undefined,
  of: {
    cases: number
    casesLeftOut: number
    agreement: number
    agreementBefore: number | null
    liftBefore: number | null
    beforeOutside: number
  },
): string | undefined {
  if (gate === undefined)
    return 'publish_gate in skill.yaml must be a number from 0 to 1, or {agreement, cases, no_worse, min_lift}'
  if (of.cases < gate.casesMin) return `The gate requires ${gate.casesMin} cases; the evaluation had ${of.cases}`
  if (of.casesLeftOut > 0) return `The gate requires all cases; ${of.casesLeftOut} of them were left out`
  if (of.agreement < gate.agreement)
    return `The gate requires an agreement of ${gate.agreement}; it was ${rounded(of.agreement)}`
  if ((gate.noWorse || gate.liftMin !== null) && of.beforeOutside > 0)
    return `The gate compares with the previous version, of which ${of.beforeOutside} runs ended for reasons outside of it, such as a provider or a budget: evaluate again`
  if (gate.noWorse && of.agreementBefore !== null && of.agreement < of.agreementBefore)
    return `The previous version had an agreement of ${rounded(of.agreementBefore)}, this version has ${rounded(of.agreement)}`
  if (gate.liftMin !== null && of.liftBefore !== null && of.liftBefore < gate.liftMin)
    return `The gate requires agreement to rise by ${gate.liftMin} over the previous version; with 95 % confidence it rises by at least ${rounded(of.liftBefore)} only. Improve the skill, or add cases`
  return undefined
}

const rounded = (share: number): number => Math.floor(share * 10_000) / 10_000
