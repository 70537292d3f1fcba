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
  /** The violations of the schema by a value; empty when it is valid. */
  readonly problemsOf: (value: Json) => readonly SchemaProblem[]
  /** The pattern that is being matched, for the message when a timeout interrupts it. */
  readonly matching: () => string | undefined
}

type Compiler = Ajv | Ajv2020
type Engine = NonNullable<NonNullable<ConstructorParameters<typeof Ajv>[0]>['code']>['regExp']

/** Whether a schema declares draft-07 or an earlier draft, which is validated as draft-07; all others are 2020-12. */
const isDraft7 = (schema: JsonSchema): boolean =>
  typeof schema['$schema'] === 'string' && /draft-0[4-7]/.test(schema['$schema'])

/** The Ajv compiler for the draft that a schema declares; default 2020-12. */
function compilerFor(schema: JsonSchema, regExp?: Engine): Compiler {
  // allErrors: without it the code of each property is nested in that of the previous one, and a few thousand properties
  // overflow the stack. ownProperties: inherited names such as valueOf are not properties of an answer.
  const options = { ownProperties: true, strict: false, allErrors: true, validateFormats: true, logger: false as const }
  // The schema was validated before; optimising the generated code takes longer than one run of it.
  const more = regExp ? { ...options, validateSchema: false, code: { regExp, optimize: false } } : options
  const ajv = isDraft7(schema) ? new Ajv(more) : new Ajv2020(more)
  addFormats.default(ajv)
  return ajv
}

/** The schema without keywords that change its base URI or draft, or make validation asynchronous. */
const plain = ({ $schema: _dialect, $id: _id, $async: _async, ...rest }: JsonSchema): JsonSchema => rest

/**
 * Compiles a caller's schema with its own compiler, by the draft in `$schema` (default 2020-12). Schemas with keywords that
 * Ajv handles incorrectly are interpreted instead. Only for jobs of the process pool, because untrusted patterns and
 * references may take forever. Throws the compiler's error.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  let matching: string | undefined
  const makePattern = (source: string) => {
    const expression = parsePattern(source)
    if (expression === undefined) throw new SyntaxError('not a regular expression')
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
      // Compiled code throws on a few values, such as comparing objects with a property valueOf.
      interpreter = error instanceof TypeError ? makeInterpreter() : undefined
      if (!interpreter) throw error
      return interpreter(value)
    }
  }
  return { problemsOf: (value) => (interpreter ?? compiled)(value), matching: () => matching }
}

/** Compilers that hold a draft's own schema compiled, which takes longer than all else of a check. What they check is not added to them. */
const checkers = new Map<boolean, Compiler>()

/** JSON Pointers of places where a schema violates its draft; the first is the most useful one. */
export function misplacedIn(schema: JsonSchema): string[] {
  const isOld = isDraft7(schema)
  const compiler = checkers.get(isOld) ?? compilerFor(schema)
  checkers.set(isOld, compiler)
  if (compiler.validateSchema(plain(schema)) === true) return []
  return (compiler.errors ?? []).map((error) => error.instancePath)
}

/** Converts a finding of Ajv to one sentence. */
function problemOf(error: ErrorObject): SchemaProblem {
  const allowed =
    error.keyword === 'enum' && Array.isArray(error.params['allowedValues'])
      ? `: ${JSON.stringify(error.params['allowedValues']).slice(0, 300)}`
      : ''
  return { pointer: error.instancePath, message: `${error.message ?? 'is not allowed'}${allowed}` }
}
