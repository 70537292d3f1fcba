import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { parsePattern } from '@skillrun/reader/values/bounded-pattern.ts'
import type { ErrorObject } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { interpreterOf, needsInterpreter } from './interpret-schema.ts'
import type { SchemaProblem } from './schema.ts'

/** A compiled schema. */
export interface CompiledSchema {
  /** How a value violates the schema; an empty list where it holds. */
  readonly problemsOf: (value: Json) => readonly SchemaProblem[]
  /** The pattern that is being matched at this moment, for whoever stops it. */
  readonly matching: () => string | undefined
}

type Compiler = Ajv | Ajv2020
type Engine = NonNullable<NonNullable<ConstructorParameters<typeof Ajv>[0]>['code']>['regExp']

/** Whether a schema names draft-07, or one before it that is judged alike; all others are 2020-12. */
const isDraft7 = (schema: JsonSchema): boolean =>
  typeof schema['$schema'] === 'string' && /draft-0[4-7]/.test(schema['$schema'])

/** The compiler of the draft that a schema names, 2020-12 where it names none. */
function compilerFor(schema: JsonSchema, regExp?: Engine): Compiler {
  // To stop at the first error, the code for each property would stand within that for the one before: a few thousand
  // of them then exceed the stack.
  // What every object inherits, as valueOf, is no property of an answer.
  const options = { ownProperties: true, strict: false, allErrors: true, validateFormats: true, logger: false as const }
  // What is compiled was found to be a schema before; tidying its code takes longer than running it once.
  const more = regExp ? { ...options, validateSchema: false, code: { regExp, optimize: false } } : options
  const ajv = isDraft7(schema) ? new Ajv(more) : new Ajv2020(more)
  addFormats.default(ajv)
  return ajv
}

/** The schema without what would change its address, its draft, or make its answer a promise. */
const plain = ({ $schema: _dialect, $id: _id, $async: _async, ...rest }: JsonSchema): JsonSchema => rest

/**
 * Compiles a caller's schema with a compiler of its own, by the draft that `$schema` names (2020-12 where it names none). Schemas with
 * keywords that the compiler gets wrong are interpreted.
 * Only for the workshop: patterns and references of strangers may take for ever. Throws the compiler's error.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  let matching: string | undefined
  const makePattern = (source: string) => {
    const expression = parsePattern(source)
    if (expression === undefined) throw new SyntaxError('no regular expression')
    return {
      toString: () => `pattern ${source}`,
      test(text: string) {
        matching = source
        const answer = expression.test(text)
        matching = undefined
        return answer
      },
    }
  }
  const regExp = Object.assign(makePattern, { code: 'pattern' })
  const validate = compilerFor(schema, regExp).compile(plain(schema))
  const makeInterpreter = () => interpreterOf(plain(schema), isDraft7(schema) ? '7' : '2020-12')
  let interpreter = needsInterpreter(schema) ? makeInterpreter() : undefined
  const compiled = (value: Json): readonly SchemaProblem[] => {
    try {
      return validate(value) === true ? [] : (validate.errors ?? []).map(problemOf)
    } catch (error) {
      // Compiled code breaks on a few values, as those with a property called valueOf that are held against each other.
      interpreter = error instanceof TypeError ? makeInterpreter() : undefined
      if (!interpreter) throw error
      return interpreter(value)
    }
  }
  return { problemsOf: (value) => (interpreter ?? compiled)(value), matching: () => matching }
}

/** Where a schema is not what its draft allows, as JSON Pointers; the first one is the one to tell. */
export function misplacedIn(schema: JsonSchema): string[] {
  const compiler = compilerFor(schema)
  if (compiler.validateSchema(plain(schema)) === true) return []
  return (compiler.errors ?? []).map((error) => error.instancePath)
}

/** A compiler's or validator's finding as one sentence. */
function problemOf(error: ErrorObject): SchemaProblem {
  const allowed =
    error.keyword === 'enum' && Array.isArray(error.params['allowedValues'])
      ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 300)}`
      : ''
  return { pointer: error.instancePath, message: `${error.message ?? 'is not allowed'}${allowed}` }
}
