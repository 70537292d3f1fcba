import type { AgentExecuteRequest } from '@skillrun/client/openapi.ts'
import { InvalidArgumentError, Option } from 'commander'

export type ServiceTier = NonNullable<NonNullable<AgentExecuteRequest['config']>['service_tier']>

const tiers: readonly ServiceTier[] = ['auto', 'default', 'standard', 'flex', 'priority']

export const tierOption = (): Option => new Option('--tier <TIER>', 'service tier').choices(tiers)

/** A stored skill in a request. */
export const referenceTo = (id: string) => ({ type: 'skill_reference', skill_id: id }) as const

/** Parses an integer with a minimum. */
export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(
      `It must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${max}`}.`,
    )
  }

/** Parses seconds with decimals as milliseconds. */
export function seconds(text: string): number {
  const value = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0) return value * 1000
  throw new InvalidArgumentError('It must be a number of seconds greater than 0.')
}

/** Parses an interval such as `90m`, `24h` or `7d` as milliseconds. */
export function interval(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  if (unitMs !== undefined) return Number(count) * unitMs
  throw new InvalidArgumentError('It must be a number of minutes, hours or days, such as 90m, 24h or 7d.')
}

/** Reads a share of wrong values, such as 0.05, or `off`. */
export function wrongRate(text: string): number | 'off' {
  if (text === 'off') return text
  const value = /^0?\.\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0.005 && value <= 0.2) return value
  throw new InvalidArgumentError('It must be a number from 0.005 to 0.2, or off.')
}

/** Reads page numbers such as `0,1,4-6`, counted from 0. */
export function pages(text: string): readonly number[] {
  const rangeMax = 10_000
  const numbers = text.split(',').flatMap((part) => {
    const match = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part)
    const first = Number(match?.[1])
    const last = Number(match?.[2] ?? match?.[1])
    if (!match || last < first || last - first >= rangeMax) {
      throw new InvalidArgumentError('It must be page numbers starting at 0, such as 0,1 or 0,2-4.')
    }
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)]
}

/** The fields that have a value: an undefined one would hide the same field of another object that is spread before it. */
export const given = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>

/** Collects the values of a repeatable option. */
export const collected = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
]
