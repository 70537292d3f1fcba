import type { JsonSchema } from '@skillrun/core/json.ts'
import { OutOfTime, withinTime } from '@skillrun/core/within-time.ts'
import { parsePattern } from '@skillrun/reader/values/bounded-pattern.ts'
import { limits } from '../../core/limits.ts'
import { compileSchema, misplacedIn } from './compile-schema.ts'
import type { SchemaProblem } from './schema.ts'
import { patternsOf } from './schema-places.ts'
import { findReferenceProblem } from './schema-references.ts'
import { whatShouldStandAt } from './schema-words.ts'

/** The problem that prevents a schema from being compiled; null when there is none. */
export default function checkSchema({ schema }: { schema: JsonSchema }): SchemaProblem | null {
  const [misplaced] = misplacedIn(schema)
  if (misplaced !== undefined) return { pointer: misplaced, message: capital(whatShouldStandAt(misplaced)) }
  const problem = findReferenceProblem(schema) ?? findPatternProblem(schema)
  if (problem) return problem
  try {
    compileSchema(schema)
    return null
  } catch (error) {
    return { pointer: '', message: whyNotCompiled(error) }
  }
}

function whyNotCompiled(error: unknown): string {
  if (error instanceof RangeError)
    return 'The schema is too complex to be compiled; use fewer alternatives and less nesting'
  if (error instanceof Error && 'missingRef' in error) return 'Each $ref should point to a place in the schema'
  return 'The schema contradicts itself and cannot be compiled; for example, nullable needs a type beside it'
}

function findPatternProblem(schema: JsonSchema): SchemaProblem | undefined {
  // Finding them is no part of the time: on a busy machine a large schema without patterns would be refused.
  const patterns = patternsOf(schema)
  if (patterns.length === 0) return undefined
  let at = ''
  try {
    withinTime(limits.schemaPatternWallMs, () => {
      for (const { pointer, source } of patterns) {
        at = pointer
        const expression = parsePattern(source)
        if (expression === undefined) throw new SyntaxError('not a regular expression')
        // An expression that is too large fails only when it is first matched.
        expression.test('')
      }
    })
    return undefined
  } catch (error) {
    if (error instanceof OutOfTime)
      return { pointer: at, message: 'The pattern takes too long to match; make it simpler' }
    return { pointer: at, message: 'A pattern should be an ECMAScript regular expression of moderate size' }
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
