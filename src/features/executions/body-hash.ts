import { createHash } from 'node:crypto'
import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { isJsonObject, type Json, type JsonObject } from '../../kit/json.ts'

/** Text that is hashed at once: others are served between one piece and the next. */
const pieceCharacters = 128 * 1024
/** Sorting more names would hold others up; an object of more counts in the order in which it came. */
const sortedNamesMax = 1_000

/**
 * The SHA-256 of a JSON value, the same for two spellings of one body: names are sorted (in objects of up to 1,000), and
 * null stands for absence.
 */
export async function bodySha256(value: Json): Promise<Buffer> {
  const hash = createHash('sha256')
  let text = ''
  for (const piece of canonicalPieces(value)) {
    text += piece
    if (text.length < pieceCharacters) continue
    hash.update(text)
    text = ''
    await otherRequestsFirst()
  }
  return hash.update(text).digest()
}

/** An array or object that is being written: its members from `next` on are still to come. */
interface Open {
  readonly value: readonly Json[] | JsonObject
  /** Of an object. */
  readonly names: readonly string[] | undefined
  next: number
  isEmpty: boolean
}

function* canonicalPieces(root: Json): Generator<string> {
  const open: Open[] = []
  const begin = function* (value: Json): Generator<string> {
    if (typeof value === 'string') yield* textPieces(value)
    else if (typeof value !== 'object' || value === null) yield JSON.stringify(value)
    else {
      const names = isJsonObject(value) ? Object.keys(value) : undefined
      if (names && names.length <= sortedNamesMax) names.sort()
      open.push({ value, names, next: 0, isEmpty: true })
      yield names ? '{' : '['
    }
  }
  yield* begin(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value, names } = top
    const index = top.next++
    if (index >= (names ?? (value as readonly Json[])).length) {
      open.pop()
      yield names ? '}' : ']'
      continue
    }
    const name = names?.[index]
    const member = name === undefined ? (value as readonly Json[])[index] : (value as JsonObject)[name]
    if (name !== undefined && (member === null || member === undefined)) continue
    yield `${top.isEmpty ? '' : ','}${name === undefined ? '' : `${JSON.stringify(name)}:`}`
    top.isEmpty = false
    yield* begin(member as Json)
  }
}

/** A text as JSON, a long one in pieces that end between characters. */
function* textPieces(text: string): Generator<string> {
  if (text.length <= pieceCharacters) {
    yield JSON.stringify(text)
    return
  }
  yield '"'
  for (let from = 0; from < text.length; ) {
    let to = from + pieceCharacters
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to++
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}
