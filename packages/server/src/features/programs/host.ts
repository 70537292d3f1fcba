import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { SandboxHost } from '../../adapters/sandbox/sandbox.ts'
import { type Tool, type ToolContext, validateAndCall } from '../../agent/tool.ts'

/** A document of a run, as a program sees it. */
export interface ProgramDocument {
  /** The slot, with `/n` for the n-th item of an array slot. */
  readonly input: string
  readonly packed: Uint8Array
  readonly mediaType: string
  readonly pageCount: number
  readonly firstPage?: Json | null | undefined
  /** Its words, if known; see `wordsOfLines`. */
  readonly words?: readonly string[] | null | undefined
}

/** What a program reports besides its answer, through the functions of `io`. */
export interface ProgramReport {
  /** JSON Pointer of a leaf → the cited place. */
  readonly cites: Map<string, Json>
  /** JSON Pointers of fields that it declines to answer, '' for its whole answer; null: none. */
  declined: readonly string[] | null
  /** JSON Pointers of fields whose values are guesses: they show what changed in a document, and are not given. */
  guessed: readonly string[]
}

/**
 * The functions for a program: the tools, validated against their schemas, and `io`: `cite` names the places of values, `decline` leaves
 * fields, or without any the whole answer, to an agent; `guess` leaves fields that have a likely value.
 */
export function hostOf(
  tools: readonly Tool[],
  context: ToolContext,
  run: { report: ProgramReport; signal: AbortSignal },
): SandboxHost {
  const { report, signal } = run
  const called = tools.map(
    (one) => [one.name, (input?: Json) => validateAndCall(one, input ?? {}, { context, signal })] as const,
  )
  return {
    ...Object.fromEntries(called),
    'io.cite': async (cites) => {
      for (const [pointer, place] of Object.entries(isJsonObject(cites) ? cites : {})) report.cites.set(pointer, place)
      return null
    },
    'io.decline': async (about) => {
      const fields = isJsonObject(about) && Array.isArray(about['fields']) ? about['fields'] : []
      report.declined = [...(report.declined ?? []), ...(fields.length === 0 ? [''] : fields.map(String))]
      return null
    },
    'io.guess': async (about) => {
      const fields = isJsonObject(about) && Array.isArray(about['fields']) ? about['fields'] : []
      report.guessed = [...report.guessed, ...fields.map(String)]
      return null
    },
  }
}

/** `inputs` of a program, as the code agent gives them: a handle for each document, by its slot; plain values and texts unchanged. */
export function inputsOf(documents: readonly ProgramDocument[], values: Readonly<Record<string, Json>>): JsonObject {
  const inputs: Record<string, Json> = { ...values }
  for (const { input, mediaType, pageCount } of documents) {
    const [slot = input, place] = input.split('/')
    const handle = { slot: input, kind: kindOf(mediaType), mediaType, pageCount }
    if (place === undefined) inputs[slot] ??= handle
    else if (/^\d+$/.test(place)) inputs[slot] = [...(Array.isArray(inputs[slot]) ? inputs[slot] : []), handle]
    else inputs[slot] = { ...(isJsonObject(inputs[slot]) ? inputs[slot] : {}), [place]: handle }
  }
  return inputs
}

const kindOf = (mediaType: string): string => (mediaType.startsWith('image/') ? 'image' : 'document')
