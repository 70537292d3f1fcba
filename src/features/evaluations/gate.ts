import { isJsonObject, type Json } from '../../kit/json.ts'

/** What an evaluation must show before `latest` moves to the version that it was of. */
export interface Gate {
  /** The share of fields, 0 to 1, that must agree with the known answers. */
  readonly agreement: number
  /** Known answers that it must have been compared on. */
  readonly casesMin: number
  /** It may not agree on less than the version before does on the same known answers. */
  readonly noWorse: boolean
}

/**
 * Reads `publish_gate` of `skill.yaml`: a share from 0 to 1 alone, or `{agreement, cases, no_worse}`, where `cases` is 1 and
 * `no_worse` true unless it says so. Null: no gate is set. Undefined: what is set is no gate, and nothing passes it.
 */
export function readGate(value: Json): Gate | null | undefined {
  if (value === null) return null
  const { agreement = 1, cases = 1, no_worse = true } = isJsonObject(value) ? value : { agreement: value }
  if (typeof agreement !== 'number' || agreement < 0 || agreement > 1) return undefined
  if (typeof cases !== 'number' || !Number.isInteger(cases) || cases < 1 || typeof no_worse !== 'boolean')
    return undefined
  return { agreement, casesMin: cases, noWorse: no_worse }
}

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
