import { Fault } from '@skillrun/core/fault.ts'
import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import type { ApprovalDemand } from './gate.ts'

/** One file of a bundle. */
export interface BundleFile {
  /** Relative to the bundle's root, with `/`, in Unicode form NFC: `scripts/total.ts`. */
  readonly path: string
  readonly bytes: number
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
}

/** Something in a bundle that a person should check before trusting it. */
export interface ReviewNote {
  readonly kind: 'hidden_unicode' | 'undeclared_script' | 'network' | 'secret' | 'front_matter'
  /** The file, and the line from 1 if known. */
  readonly path: string
  readonly line: number | null
  readonly message: string
}

/** The content of a bundle without the bytes of its files. Plain data. */
export interface BundleFacts {
  /** As in the front matter; the version may have others. */
  readonly name: string
  readonly description: string
  /** The body of SKILL.md. */
  readonly instructions: string
  /** Of `schema.json`. */
  readonly schema: JsonSchema | null
  /** Of `skill.yaml` or `vlmrun.yaml`: an unresolved model identifier. */
  readonly model: string | null
  readonly toolsets: readonly string[] | null
  readonly graph: string | null
  readonly plan: string | null
  /** Hosts that the skill requests access to. */
  readonly hosts: readonly string[]
  /** Declared scripts; those that SKILL.md names count as declared too. */
  readonly scripts: readonly string[]
  /** The gate that an evaluation must pass before `latest` moves to a new version; unparsed from `skill.yaml`. */
  readonly publishGate: Json
  /** What needs a person's approval in its runs. Bundles parsed by older versions have none. */
  readonly requireApproval?: ApprovalDemand | null
  /** `allowed-tools` of the front matter, split at white space; null if absent. */
  readonly allowedTools: readonly string[] | null
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, Json>>
  /** The content of `evals/evals.json`, or null. */
  readonly evals: Json
  readonly files: readonly BundleFile[]
  /** SHA-256 over the sorted paths and content hashes, in hexadecimal: equal for equal files. */
  readonly sha256: string
  readonly review: readonly ReviewNote[]
}

/** A text file of a generated bundle. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** Source of a bundle: a local zip file, its bytes, or texts. */
export type BundleSource =
  | { readonly path: string }
  | { readonly zip: Uint8Array }
  | { readonly files: readonly TextFile[] }

/** A valid bundle. */
export interface CheckedBundle {
  readonly facts: BundleFacts
  /** The same files as a normalised zip: sorted, regular, executable or not, SKILL.md at its root, nothing else. */
  readonly zip: Uint8Array
}

/**
 * Parses an untrusted bundle in the process pool and repacks it. Throws Fault `bad_bundle`, whose message names the bad entry and the
 * reason.
 */
export const checkBundleJob: Job<BundleSource, CheckedBundle> = {
  name: 'check-bundle',
  files: ['path'],
  isQuick: true,
  module: new URL('./check-bundle.job.ts', import.meta.url),
}

/** A valid bundle with some texts replaced. */
export interface Revision {
  readonly path: string
  readonly description: string | null
  readonly prompt: string | null
  readonly schema: JsonSchema | null
  /** Of `evals/evals.json`. */
  readonly evals?: Json
}

/** Revises a bundle in the process pool: null keeps a part byte for byte. Throws as `checkBundleJob` does. */
export const reviseBundleJob: Job<Revision, CheckedBundle> = {
  name: 'revise-bundle',
  files: ['path'],
  isQuick: true,
  module: new URL('./revise-bundle.job.ts', import.meta.url),
}

/** Reads one file of a valid bundle in the process pool: its bytes, or null without a file at that path. */
export const readBundleFileJob: Job<
  { readonly bundle: Exclude<BundleSource, { files: readonly TextFile[] }>; readonly path: string },
  Uint8Array | null
> = {
  name: 'read-bundle-file',
  files: ['bundle.path'],
  isQuick: true,
  module: new URL('./read-bundle-file.job.ts', import.meta.url),
}

/** Limits of one of these jobs. */
export const bundleTerms = { wallMs: limits.bundleWallMs, memoryMb: limits.bundleMemoryMb } as const

/** The Fault of an invalid bundle. */
export const badBundle = (message: string): Fault => new Fault('invalid', 'bad_bundle', message)
