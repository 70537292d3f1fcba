import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { SandboxHost } from '../../adapters/sandbox/sandbox.ts'
import { callFitting, type Tool, type ToolContext } from '../../agent/tool.ts'

/** A document of a run as a program is told of it. */
export interface ProgramDocument {
  /** The slot, with `/n` for the n-th item of an array slot. */
  readonly input: string
  readonly packed: Uint8Array
  readonly mediaType: string
  readonly pageCount: number
  readonly firstPage?: Json | null | undefined
  /** Its words, where they are known; see `wordsOfLines`. */
  readonly words?: readonly string[] | null | undefined
}

/** What a program said of its answer. */
export interface Said {
  /** JSON Pointer of a leaf → where the program says that it stands. */
  readonly cites: Map<string, Json>
  /** Fields that it does not answer for; null: it answers for all. */
  declined: readonly string[] | null
}

/**
 * What a program may call: the tools, each with its own schema before it, and `io`: `cite` says where values stand, `decline`
 * leaves the answer to an agent.
 */
export function hostOf(
  tools: readonly Tool[],
  context: ToolContext,
  run: { said: Said; signal: AbortSignal },
): SandboxHost {
  const { said, signal } = run
  const called = tools.map(
    (one) => [one.name, (input?: Json) => callFitting(one, input ?? {}, { context, signal })] as const,
  )
  return {
    ...Object.fromEntries(called),
    'io.cite': async (cites) => {
      for (const [pointer, place] of Object.entries(isJsonObject(cites) ? cites : {})) said.cites.set(pointer, place)
      return null
    },
    'io.decline': async (about) => {
      const fields = isJsonObject(about) && Array.isArray(about['fields']) ? about['fields'] : []
      said.declined = fields.map(String)
      return null
    },
  }
}

/** `inputs` of a program, as the code agent gives them: a handle for each document, by its slot; plain values and texts as they are. */
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
