import { setImmediate as otherRequestsFirst } from 'node:timers/promises'

/** Text that is made at once: others are served between one piece and the next. */
const pieceCharacters = 128 * 1024
/** Sorting more names would hold others up; an object of more keeps them in the order in which they came. */
const sortedNamesMax = 1_000

/**
 * The JSON text of a value that may be as large as a request, piece by piece; others are served in between. `plain` is what
 * JSON.stringify writes; `canonical` is the same for two spellings of one value: names are sorted (in objects of up to 1,000), and
 * null stands for absence.
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

/** An array or object that is being written: its members from `next` on are still to come. */
interface Open {
  readonly value: readonly unknown[] | Readonly<Record<string, unknown>>
  /** Of an object. */
  readonly names: readonly string[] | undefined
  next: number
  isEmpty: boolean
}

function* smallPieces(root: unknown, isCanonical: boolean): Generator<string> {
  const open: Open[] = []
  const begin = function* (value: unknown): Generator<string> {
    if (typeof value === 'string' && value.length > pieceCharacters) yield* textPieces(value)
    else if (!isPlain(value)) yield (JSON.stringify(value) as string | undefined) ?? 'null'
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

/** Arrays and objects of plain data; a date, for one, writes itself. */
function isPlain(value: unknown): value is readonly unknown[] | Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** A text as JSON, in pieces that end between characters. */
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
