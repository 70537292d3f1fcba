import type { Clock } from '@skillrun/core/clock.ts'
import { OutOfTime, withinTime } from '@skillrun/core/within-time.ts'

/** A pattern of strangers that took more time than all patterns together may. */
export class PatternTooCostly extends Error {
  override name = 'PatternTooCostly'
  readonly source: string

  constructor(source: string) {
    super('a pattern took too long')
    this.source = source
  }
}

/** Tells whether a text has what a pattern asks for. Throws PatternTooCostly. */
export interface BoundedPattern {
  test(text: string): boolean
}

/** The regular expression that a pattern means: with Unicode, as JSON Schema asks, or else without; undefined for none. */
export function parsePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // `\-` and the like are errors with Unicode alone.
    }
  }
  return undefined
}

/** Texts up to here are matched without a watch by patterns that are simple. */
const simpleCharactersMax = 1_000

/**
 * Whether matching takes at most the square of the text's length: no groups, and at most one repetition of variable
 * length. Most patterns of honest schemas are so.
 */
export function isSimplePattern(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x')
  return !bare.includes('(') && (bare.match(/[*+?]|\{\d*,\d*\}/gu) ?? []).length <= 1
}

/** Makes patterns that may take `wallMs` milliseconds together, however often they are tested. */
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
