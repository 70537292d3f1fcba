import { createHash } from 'node:crypto'
import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { isJsonObject, type Json } from '../../kit/json.ts'

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

/** What is still to be written: a value, or a text as it is. */
type Pending = { readonly value: Json } | { readonly text: string }

function* canonicalPieces(root: Json): Generator<string> {
  const pending: Pending[] = [{ value: root }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) yield next.text
    else if (typeof next.value === 'string') yield* textPieces(next.value)
    else if (Array.isArray(next.value)) {
      yield '['
      pending.push({ text: ']' })
      for (let index = next.value.length - 1; index >= 0; index--) {
        pending.push({ value: next.value[index] as Json })
        if (index > 0) pending.push({ text: ',' })
      }
    } else if (isJsonObject(next.value)) {
      yield '{'
      pending.push({ text: '}' })
      const { value } = next
      const names = Object.keys(value).filter((name) => value[name] !== null && value[name] !== undefined)
      if (names.length <= sortedNamesMax) names.sort()
      for (let index = names.length - 1; index >= 0; index--) {
        const name = names[index] as string
        pending.push({ value: value[name] as Json }, { text: `${JSON.stringify(name)}:` })
        if (index > 0) pending.push({ text: ',' })
      }
    } else yield JSON.stringify(next.value)
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
