import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isJsonObject } from './json.ts'

/** Pieces that are hashed before other work gets its turn. */
const piecesAtOnce = 2_000

/** The SHA-256, in hexadecimal, of a JSON value as canonical JSON (RFC 8785): equal for equal values, whatever the order of their members. */
export async function canonicalSha256(value: unknown): Promise<string> {
  const hash = createHash('sha256')
  let pieces = 0
  for (const piece of canonicalPieces(value)) {
    hash.update(piece)
    pieces += 1
    if (pieces % piecesAtOnce === 0) await setImmediate()
  }
  return hash.digest('hex')
}

/** A JSON value as canonical JSON, for one that is small. */
export const canonicalText = (value: unknown): string => [...canonicalPieces(value)].join('')

/** Numbers and texts are written as ECMAScript does, and names are sorted by UTF-16 code units, which is what RFC 8785 asks for. */
export function* canonicalPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let mark = '['
    for (const item of value) {
      yield mark
      yield* canonicalPieces(item)
      mark = ','
    }
    yield mark === '[' ? '[]' : ']'
  } else if (isJsonObject(value)) {
    let mark = '{'
    for (const name of Object.keys(value).toSorted(byCodeUnits)) {
      // As JSON.stringify leaves it out.
      if (value[name] === undefined) continue
      yield `${mark}${JSON.stringify(name)}:`
      yield* canonicalPieces(value[name])
      mark = ','
    }
    yield mark === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
