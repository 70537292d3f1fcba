import { isJsonObject } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Execution } from '../execution.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import { parsedRow, type StoredRow, stateOf } from './execution-row.ts'

/** A request as its row stores it: a text that is both an input and a value is stored once, which halves the largest rows. */
export interface StoredRequest extends ExecutionRequest {
  /** Slots whose value is the text of the input of the same name, and null in `values`. */
  readonly textSlots?: readonly string[]
}

const textsOf = ({ inputs }: ExecutionRequest): ReadonlyMap<string, string> =>
  new Map(inputs.flatMap(({ name, source }) => (source.kind === 'text' ? [[name, source.text]] : [])))

/** The stored parts of a request. */
export function storedRequest(request: ExecutionRequest): StoredRequest {
  const texts = textsOf(request)
  const textSlots = Object.keys(request.values).filter(
    (slot) => texts.has(slot) && request.values[slot] === texts.get(slot),
  )
  if (textSlots.length === 0) return request
  const nulls = Object.fromEntries(textSlots.map((slot) => [slot, null]))
  return { ...request, values: { ...request.values, ...nulls }, textSlots }
}

const isInput = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['source'])

/** Checks the outline only: inputs, skills and chats were parsed when the request was accepted. */
const form = z.custom<StoredRequest>(
  (value) =>
    isJsonObject(value) &&
    Array.isArray(value['inputs']) &&
    value['inputs'].every(isInput) &&
    isJsonObject(value['values']) &&
    isJsonObject(value['metadata']) &&
    typeof value['prompt'] === 'string' &&
    (value['schema'] === null || isJsonObject(value['schema'])),
)
const withRequest = z.object({ request: form })

/** Parses a row of `columns` and `request`. */
export function originalOf(row: StoredRow): Execution {
  return { ...stateOf(row), request: requestOf(parsedRow(withRequest, row).request) }
}

/** The stored request; older rows hold it unchanged. */
export function requestOf({ textSlots, ...request }: StoredRequest): ExecutionRequest {
  if (textSlots === undefined) return request
  const texts = textsOf(request)
  const values = Object.fromEntries(textSlots.map((slot) => [slot, texts.get(slot) ?? null]))
  return { ...request, values: { ...request.values, ...values } }
}
