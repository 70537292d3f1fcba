import { Fault } from '@skillrun/core/fault.ts'
import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import type { ApprovalDemand } from './gate.ts'

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
  /** Scripts that it declares there; one that SKILL.md names counts as declared too. */
  readonly scripts: readonly string[]
  /** What must hold of an evaluation before `latest` moves to a new version; as it stands in `skill.yaml`. */
  readonly publishGate: Json
  /** What of its runs needs a person's approval. Bundles that were read by older versions have none. */
  readonly requireApproval?: ApprovalDemand | null
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

/** A text file of a bundle that is made here. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** Where a bundle comes from: a local zip file, the bytes of one, or texts. */
export type BundleSource =
  | { readonly path: string }
  | { readonly zip: Uint8Array }
  | { readonly files: readonly TextFile[] }

/** A bundle that was found to be good. */
export interface CheckedBundle {
  readonly facts: BundleFacts
  /** The same files as a zip of our own making: sorted, regular, SKILL.md at its root, nothing else in it. */
  readonly zip: Uint8Array
}

/**
 * Reads a bundle by whomever, in the process pool, and packs it anew. Throws Fault `bad_bundle`, whose message says which
 * entry is at fault and why.
 */
export const checkBundleJob: Job<BundleSource, CheckedBundle> = {
  name: 'check-bundle',
  files: ['path'],
  isQuick: true,
  module: new URL('./check-bundle.job.ts', import.meta.url),
}

/** A checked bundle with other texts in some places. */
export interface Revision {
  readonly path: string
  readonly description: string | null
  readonly prompt: string | null
  readonly schema: JsonSchema | null
  /** Of `evals/evals.json`. */
  readonly evals?: Json
}

/** A bundle from another one, in the process pool: what is null stays as it is, byte for byte. Throws as `checkBundleJob` does. */
export const reviseBundleJob: Job<Revision, CheckedBundle> = {
  name: 'revise-bundle',
  files: ['path'],
  isQuick: true,
  module: new URL('./revise-bundle.job.ts', import.meta.url),
}

/** One file of a checked bundle, in the process pool: its bytes, or null where there is none of that path. */
export const readBundleFileJob: Job<
  { readonly bundle: Exclude<BundleSource, { files: readonly TextFile[] }>; readonly path: string },
  Uint8Array | null
> = {
  name: 'read-bundle-file',
  files: ['bundle.path'],
  isQuick: true,
  module: new URL('./read-bundle-file.job.ts', import.meta.url),
}

/** What one of these jobs may take. */
export const bundleTerms = { wallMs: limits.bundleWallMs, memoryMb: limits.bundleMemoryMb } as const

/** The Fault of a bundle that is refused. */
export const badBundle = (message: string): Fault => new Fault('invalid', 'bad_bundle', message)
