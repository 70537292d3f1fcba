import type { ExecutionRequest } from './execution.ts'

/** A request as its row keeps it: a text that is both read and a value is written once, which is half of the largest rows. */
export interface StoredRequest extends ExecutionRequest {
  /** Slots whose value is the text of the input of the same name, and null in `values`. */
  readonly textSlots?: readonly string[]
}

const textsOf = ({ inputs }: ExecutionRequest): ReadonlyMap<string, string> =>
  new Map(inputs.flatMap(({ name, source }) => (source.kind === 'text' ? [[name, source.text]] : [])))

/** What is written down of a request. */
export function storedRequest(request: ExecutionRequest): StoredRequest {
  const texts = textsOf(request)
  const textSlots = Object.keys(request.values).filter(
    (slot) => texts.has(slot) && request.values[slot] === texts.get(slot),
  )
  if (textSlots.length === 0) return request
  const nulls = Object.fromEntries(textSlots.map((slot) => [slot, null]))
  return { ...request, values: { ...request.values, ...nulls }, textSlots }
}

/** The request that was written down; rows of before hold it as it is. */
export function requestOfRow({ textSlots, ...request }: StoredRequest): ExecutionRequest {
  if (textSlots === undefined) return request
  const texts = textsOf(request)
  const values = Object.fromEntries(textSlots.map((slot) => [slot, texts.get(slot) ?? null]))
  return { ...request, values: { ...request.values, ...values } }
}
