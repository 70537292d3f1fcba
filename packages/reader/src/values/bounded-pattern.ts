import type { Clock } from '@skillrun/core/clock.ts'
import { OutOfTime, withinTime } from '@skillrun/core/within-time.ts'

/** Thrown when untrusted patterns exceed their shared time limit; names the pattern. */
export class PatternTooCostly extends Error {
  override name = 'PatternTooCostly'
  readonly source: string

  constructor(source: string) {
    super('a pattern took too long')
    this.source = source
  }
}

/** Tests a text against a pattern. Throws PatternTooCostly. */
export interface BoundedPattern {
  test(text: string): boolean
}

/** Compiles a pattern with the Unicode flag, as JSON Schema requires, or else without; undefined when invalid. */
export function parsePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // `\-` and similar escapes are errors only with the Unicode flag.
    }
  }
  return undefined
}

/** Simple patterns match texts up to this length without a timeout. */
const simpleCharactersMax = 1_000

/**
 * True when matching takes at most quadratic time: no groups, and at most one repetition of variable length. Most real
 * patterns are simple.
 */
export function isSimplePattern(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x')
  return !bare.includes('(') && (bare.match(/[*+?]|\{\d*,\d*\}/gu) ?? []).length <= 1
}

/** A factory of patterns that share a limit of `wallMs` milliseconds over all their tests. */
export function boundedPatterns(clock: Clock, wallMs: number): (source: string) => BoundedPattern | undefined {
  let leftMs = wallMs
  const known = new Map<string, BoundedPattern | undefined>()
  const watched = (source: string, expression: RegExp, text: string): boolean => {
    if (leftMs <= 0) throw new PatternTooCostly(source)
    const fromMs = clock.monotonicMs()
    try {
      return withinTime(leftMs, () => expression.test(text))
    } catch (error) {
      if (error instanceof OutOfTime) throw new PatternTooCostly(source)
      throw error
    } finally {
      leftMs -= clock.monotonicMs() - fromMs
    }
  }
  const make = (source: string): BoundedPattern | undefined => {
    const expression = parsePattern(source)
    if (expression === undefined) return undefined
    const simple = isSimplePattern(source)
    const answers = new Map<string, boolean>()
    return {
      test(text) {
        if (simple && text.length <= simpleCharactersMax) return expression.test(text)
        const answer = answers.get(text) ?? watched(source, expression, text)
        answers.set(text, answer)
        return answer
      },
    }
  }
  return (source) => {
    if (!known.has(source)) known.set(source, make(source))
    return known.get(source)
  }
}
