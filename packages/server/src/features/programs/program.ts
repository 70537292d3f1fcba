import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { hashOf } from '../../core/json-hash.ts'

/** The status of a program. A candidate waits for the gate; only a ready one serves; rejected and demoted are final. */
export type ProgramStatus = 'compiling' | 'candidate' | 'ready' | 'rejected' | 'demoted'

/** Allowed transitions. */
export const programTransitions: Readonly<Record<ProgramStatus, readonly ProgramStatus[]>> = {
  compiling: ['ready', 'rejected'],
  candidate: ['ready', 'rejected'],
  ready: ['demoted'],
  rejected: [],
  demoted: [],
}

/** The states from which a program may move to `status`. */
export const programStatusesBefore = (status: ProgramStatus): ProgramStatus[] =>
  (Object.keys(programTransitions) as ProgramStatus[]).filter((before) => programTransitions[before].includes(status))

/** The content of a slot: `document`, `image`, `text`, a JSON type, or for a list of items their kinds, `[image]`. */
export type InputShape = Readonly<Record<string, string>>

export interface ShapedInput {
  /** The slot, with `/n` for the n-th item of an array slot. */
  readonly name: string
  /** The detected media type. */
  readonly mediaType: string
}

/** The shape of an execution's inputs: its slots and the kind of each. The number of items does not matter. */
export function shapeOf(inputs: readonly ShapedInput[], values: Readonly<Record<string, Json>>): InputShape {
  const shape: Record<string, string> = {}
  const lists = new Map<string, Set<string>>()
  for (const { name, mediaType } of inputs) {
    const slash = name.indexOf('/')
    if (slash === -1) shape[name] = familyOf(mediaType)
    else lists.set(name.slice(0, slash), (lists.get(name.slice(0, slash)) ?? new Set()).add(familyOf(mediaType)))
  }
  for (const [slot, kinds] of lists) shape[slot] = `[${[...kinds].toSorted().join(' ')}]`
  for (const [slot, value] of Object.entries(values)) shape[slot] ??= typeOf(value)
  return Object.fromEntries(Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const familyOf = (mediaType: string): string =>
  mediaType.startsWith('image/') ? 'image' : mediaType.startsWith('text/') ? 'text' : 'document'

const typeOf = (value: Json): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

/** The hash of a schema, by which programs are found. Includes its descriptions, because they influence answers. */
export const schemaHash = (schema: JsonSchema | null): string => hashOf(schema)

/** The hash of the instructions: the bundles of an execution's skills, in order, and an additional prompt. */
export const skillsHash = (bundles: readonly { readonly sha256: string }[], prompt: string): string =>
  hashOf([...bundles.map(({ sha256 }) => sha256), ...(prompt.trim() === '' ? [] : [{ prompt: prompt.trim() }])])
