import type { Json } from '@skillrun/core/json.ts'
import { limits } from '../core/limits.ts'
import type { SchemaProblem } from './schema.ts'

/**
 * The JSON value of a text: all of it, or what stands in a fence or between words around it. Undefined, too, for one that is nested
 * deeper than a request may be.
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
      // What no request may hold is no answer either, and what walks through it would run out of stack.
      return isDeeperThan(value, limits.jsonDepthMax) ? undefined : value
    } catch {
      // The next candidate may be one.
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

/** The problem of an answer with an integer that was rounded when its text was read; undefined where there is none. */
export function roundingProblem(text: string, answer: Json): SchemaProblem | undefined {
  // The digits of a rounded integer are not the number that came of them.
  const written = text.match(/\d{16,}/g)?.find((digits) => BigInt(digits) !== BigInt(Number(digits)))
  if (written === undefined || !holdsUnsafeInteger(answer)) return undefined
  const message = `has the number ${written}, which readers of JSON round because it is beyond 2^53; answer it as text, or null where the schema takes no text`
  return { pointer: '', message }
}

function holdsUnsafeInteger(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafeInteger)
}
