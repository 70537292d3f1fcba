import { setImmediate as otherRequestsFirst } from 'node:timers/promises'

/** Characters that are serialised before other requests get a turn. */
const pieceCharacters = 128 * 1024
/** Sorting more names would block too long; larger objects keep their order. */
const sortedNamesMax = 1_000

/**
 * Serialises a value as JSON in pieces, yielding to other requests between them. `plain` is the text of JSON.stringify;
 * `canonical` is equal for equal values: names are sorted (in objects of up to 1,000), and null members are left out.
 */
export async function* jsonPieces(value: unknown, form: 'plain' | 'canonical'): AsyncGenerator<string> {
  let text = ''
  for (const piece of smallPieces(value, form === 'canonical')) {
    text += piece
    if (text.length < pieceCharacters) continue
    yield text
    text = ''
    await otherRequestsFirst()
  }
  yield text
}

/** As JSON.stringify, without blocking for large values. */
export async function jsonText(value: unknown): Promise<string> {
  if (isSmallJson(value)) return JSON.stringify(value)
  const pieces: string[] = []
  for await (const piece of jsonPieces(value, 'plain')) pieces.push(piece)
  return pieces.join('')
}

/** As `jsonText`, in UTF-8. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  if (isSmallJson(value)) return Buffer.from(JSON.stringify(value))
  const pieces: Buffer[] = []
  for await (const piece of jsonPieces(value, 'plain')) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** An array or object in progress; its members from `next` on are not written yet. */
interface Open {
  readonly value: readonly unknown[] | Readonly<Record<string, unknown>>
  /** The names of an object; undefined for an array. */
  readonly names: readonly string[] | undefined
  next: number
  isEmpty: boolean
}

function* smallPieces(root: unknown, isCanonical: boolean): Generator<string> {
  const open: Open[] = []
  const begin = function* (value: unknown): Generator<string> {
    if (typeof value === 'string' && value.length > pieceCharacters) yield* textPieces(value)
    else if (!isPlain(value) || (!isCanonical && isSmall(value, together)))
      yield (JSON.stringify(value) as string | undefined) ?? 'null'
    else {
      const names = Array.isArray(value) ? undefined : Object.keys(value)
      if (isCanonical && names && names.length <= sortedNamesMax) names.sort()
      open.push({ value, names, next: 0, isEmpty: true })
      yield names ? '{' : '['
    }
  }
  yield* begin(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value, names } = top
    const index = top.next++
    if (index >= (names ?? (value as readonly unknown[])).length) {
      open.pop()
      yield names ? '}' : ']'
      continue
    }
    const name = names?.[index]
    const member = name === undefined ? (value as readonly unknown[])[index] : (value as Record<string, unknown>)[name]
    if (name !== undefined && (member === undefined || (isCanonical && member === null))) continue
    yield `${top.isEmpty ? '' : ','}${name === undefined ? '' : `${JSON.stringify(name)}:`}`
    top.isEmpty = false
    yield* begin(member)
  }
}

/** Values up to this size are serialised without yielding. */
const atOnce = { valuesMax: 5_000, charactersMax: 256 * 1024 }
/** Members of a large value up to this size are serialised in one step: counting them costs less than separate steps. */
const together = { valuesMax: 200, charactersMax: 16 * 1024 }

/** Whether a value is so small that work on it does not block others. */
export const isSmallJson = (value: unknown): boolean => isSmall(value, atOnce)

/** Whether a value is serialised in negligible time. */
function isSmall(root: unknown, { valuesMax, charactersMax }: typeof atOnce): boolean {
  const pending: unknown[] = [root]
  let characters = 0
  for (let count = 0; pending.length > 0; count++) {
    const value = pending.pop()
    if (typeof value === 'string') characters += value.length
    else if (Array.isArray(value)) {
      if (value.length > valuesMax) return false
      for (const one of value) pending.push(one)
    } else if (typeof value === 'object' && value !== null)
      for (const name in value) {
        characters += name.length
        if (pending.push((value as Record<string, unknown>)[name]) > valuesMax) return false
      }
    if (count + pending.length > valuesMax || characters > charactersMax) return false
  }
  return true
}

/** Whether a value is an array or plain object; others, such as dates, serialise themselves. */
function isPlain(value: unknown): value is readonly unknown[] | Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** A string as JSON, in pieces that do not split surrogate pairs. */
function* textPieces(text: string): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = from + pieceCharacters
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to++
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}
