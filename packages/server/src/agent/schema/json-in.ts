import type { Json } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import type { SchemaProblem } from './schema.ts'

/**
 * The JSON value of a text: the whole text, the content of a code fence, or the part from the first to the last bracket.
 * Undefined if there is none, or if it is nested deeper than a request may be.
 */
export function jsonIn(text: string): Json | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/i.exec(text)?.[1]
  const first = text.search(/[{[]/)
  const last = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const within = first >= 0 && last > first ? text.slice(first, last + 1) : undefined
  for (const candidate of [text, fenced, within]) {
    if (candidate === undefined) continue
    try {
      const value = JSON.parse(candidate) as Json
      // Recursive code on deeper values would overflow the stack.
      return isDeeperThan(value, limits.jsonDepthMax) ? undefined : value
    } catch {
      // Try the next candidate.
    }
  }
  return undefined
}

function isDeeperThan(value: Json, levels: number): boolean {
  let layer: Json[] = [value]
  for (let depth = 0; depth <= levels && layer.length > 0; depth++)
    layer = layer.flatMap((one) => (typeof one === 'object' && one !== null ? (Object.values(one) as Json[]) : []))
  return layer.length > 0
}

/** The problem of an answer whose text contains an integer that JavaScript rounds; undefined without one. */
export function roundingProblem(text: string, answer: Json): SchemaProblem | undefined {
  if (!holdsUnsafeInteger(answer)) return undefined
  const written = text.match(/\d{16,}/g)?.find(isRounded)
  if (written === undefined) return undefined
  const shown = written.length > shownDigitsMax ? `${written.slice(0, shownDigitsMax)}…` : written
  const message = `contains the number ${shown}, which JSON parsers round because it is beyond 2^53; write it as a string, or null if the schema allows no string`
  return { pointer: '', message }
}

/** More digits of a number say no more. */
const shownDigitsMax = 40

/** From 310 digits on, the number is Infinity. */
const isRounded = (digits: string): boolean =>
  !Number.isFinite(Number(digits)) || BigInt(digits) !== BigInt(Number(digits))

function holdsUnsafeInteger(value: Json): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger)
}
