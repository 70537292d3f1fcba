import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import type { Queried, Query } from './query.ts'

/** A member's name, an array index, or every item. */
type Move = string | number | typeof each
const each = Symbol('each')

/** See `queryJob`. */
export default function query({ text, path, where, limit }: Query): Queried {
  const found = follow([parsed(text)], movesOf(path))
  const inner = where && movesOf(where.path)
  const kept = inner ? found.filter((value) => follow([value], inner).some((one) => one === where.equals)) : found
  return { count: kept.length, values: kept.slice(0, limit), more: kept.length > limit }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Fault('invalid', 'no_json', 'The file is not valid JSON')
  }
}

const movePattern = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(-?\d{1,9}|\*|"(?:[^"\\]|\\.)*")\]|\.(\*)/uy

function movesOf(path: string): readonly Move[] {
  const moves: Move[] = []
  movePattern.lastIndex = 0
  while (movePattern.lastIndex < path.length) {
    const at = movePattern.lastIndex
    const found = movePattern.exec(path)
    if (!found)
      throw new Fault(
        'invalid',
        'bad_path',
        `The path ${JSON.stringify(path)} is invalid at character ${at + 1}; write it like orders[*].lines[0]["odd name"]`,
      )
    const [, name, place, star] = found
    if (name !== undefined) moves.push(name)
    else if (star !== undefined || place === '*') moves.push(each)
    else if (place?.startsWith('"')) moves.push(JSON.parse(place) as string)
    else moves.push(Number(place))
  }
  return moves
}

const follow = (values: readonly Json[], moves: readonly Move[]): readonly Json[] =>
  moves.reduce<readonly Json[]>((from, move) => from.flatMap((value) => step(value, move)), values)

function step(value: Json, move: Move): readonly Json[] {
  if (move === each) return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  if (typeof move === 'number')
    return Array.isArray(value) && value.at(move) !== undefined ? [value.at(move) as Json] : []
  const member = isJsonObject(value) && Object.hasOwn(value, move) ? value[move] : undefined
  return member === undefined ? [] : [member]
}
