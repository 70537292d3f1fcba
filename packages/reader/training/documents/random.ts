import { assert } from '@skillrun/core/assert.ts'

/** A seeded random generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A fraction in [0, 1). */
  next(): number
  /** An integer, both ends inclusive. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of the entries `[weight, value]`. */
  weighted<T>(...entries: readonly (readonly [number, T])[]): T
  /** `count` distinct elements in random order (fewer when the list is shorter). */
  sample<T>(list: readonly T[], count: number): T[]
  /** A string of decimal digits that does not start with 0. */
  digits(count: number): string
  /** Replaces each `#` with a digit and each `@` with a capital letter. */
  fill(pattern: string): string
  /** An independent generator, so that a change in one part of a document does not affect others. */
  fork(name: string): Random
  /** A standard normal deviate (Box–Muller). */
  normal(): number
}

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ'

/** xmur3: a string to a 32-bit seed. */
function hash(text: string): number {
  let h = 1779033703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353)
    h = (h << 13) | (h >>> 19)
  }
  h = Math.imul(h ^ (h >>> 16), 2246822507)
  h = Math.imul(h ^ (h >>> 13), 3266489909)
  return (h ^ (h >>> 16)) >>> 0
}

/** mulberry32, seeded by a string. For test data, not for secrets. */
export function createRandom(seed: string): Random {
  let state = hash(seed)
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  function pick<T>(list: readonly T[]): T {
    assert(list.length > 0, 'cannot pick from an empty list')
    return list[int(0, list.length - 1)] as T
  }
  return {
    next,
    int,
    pick,
    chance: (probability) => next() < probability,
    weighted(...entries) {
      let left = next() * entries.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of entries) {
        left -= weight
        if (left < 0) return value
      }
      return pick(entries)[1]
    },
    sample(list, count) {
      const rest = [...list]
      const taken: (typeof rest)[number][] = []
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(int(0, rest.length - 1), 1))
      return taken
    },
    digits: (count) => `${int(1, 9)}${Array.from({ length: count - 1 }, () => int(0, 9)).join('')}`,
    fill: (pattern) => pattern.replace(/[#@]/g, (mark) => (mark === '#' ? `${int(0, 9)}` : pick([...LETTERS]))),
    fork: (name) => createRandom(`${seed}/${name}`),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
