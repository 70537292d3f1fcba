import type { Json, JsonSchema } from '../../kit/json.ts'

/** One file of a bundle. */
export interface BundleFile {
  /** From the bundle's root, with `/`, in Unicode form NFC: `scripts/total.ts`. */
  readonly path: string
  readonly bytes: number
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
}

/** Something in a bundle that a person should look at before they trust it. */
export interface ReviewNote {
  readonly kind: 'hidden_unicode' | 'undeclared_script' | 'network' | 'secret' | 'front_matter'
  /** The file in which it was seen, and the line where there is one, from 1. */
  readonly path: string
  readonly line: number | null
  readonly message: string
}

/** What was read out of a bundle: all of it but the bytes of its files. Plain data. */
export interface BundleFacts {
  /** As the front matter has them; the version's own may be others. */
  readonly name: string
  readonly description: string
  /** The body of SKILL.md. */
  readonly instructions: string
  /** Of `schema.json`. */
  readonly schema: JsonSchema | null
  /** Of `skill.yaml` or `vlmrun.yaml`: a model identifier as it stands there. */
  readonly model: string | null
  readonly toolsets: readonly string[] | null
  readonly graph: string | null
  readonly plan: string | null
  /** Hosts that the skill says it wants to reach. */
  readonly hosts: readonly string[]
  /** What must hold of an evaluation before `latest` moves to a new version; as it stands in `skill.yaml`. */
  readonly publishGate: Json
  /** `allowed-tools` of the front matter, split at white space; null where it says nothing. */
  readonly allowedTools: readonly string[] | null
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, Json>>
  /** `evals/evals.json` as it stands there, or null. */
  readonly evals: Json
  readonly files: readonly BundleFile[]
  /** SHA-256 over the sorted paths and the hashes of their bytes, in hexadecimal: the same files have the same. */
  readonly sha256: string
  readonly review: readonly ReviewNote[]
}
