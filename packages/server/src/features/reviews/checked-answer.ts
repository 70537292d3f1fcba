import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { checkAnswer } from '../../agent/judge-answer.ts'
import type { SchemaProblem } from '../../agent/schema/schema.ts'
import { BadCorrection, type Correction, withEdit } from './apply-changes.ts'

interface Checking {
  readonly before: Json
  readonly edits: readonly Correction[]
  readonly schema: JsonSchema | null
  readonly signal: AbortSignal
}

/**
 * Applies all changes. An emptied place becomes null, or is removed if its schema neither allows null nor requires it. Throws
 * ValidationFailures at the first change that the schema does not allow.
 */
export async function checked({ processPool }: { readonly processPool: ProcessPool }, of: Checking): Promise<Json> {
  const { schema, before, signal } = of
  const reviewed = of.edits.reduce(applied, before)
  if (schema === null) return reviewed
  const problems = await checkAnswer({ processPool, schema }, reviewed, signal)
  if (problems.length === 0) return reviewed
  const isRefused = (edit: Correction) =>
    edit.kind === 'absent' && problems.some(({ pointer }) => pointer === edit.path)
  if (of.edits.some((edit) => isRefused(edit) && !edit.isRemoved)) {
    const edits = of.edits.map((edit) => (isRefused(edit) ? { ...edit, isRemoved: true } : edit))
    return checked({ processPool }, { ...of, edits })
  }
  // An answer that broke the schema before may be corrected step by step.
  const known = new Set((await checkAnswer({ processPool, schema }, before, signal)).map(keyOf))
  const fresh = problems.filter((problem) => !known.has(keyOf(problem)))
  const blamed = fresh[0] ?? problems.find(({ pointer }) => of.edits.some((edit) => isAt(edit, pointer)))
  if (blamed) throw refused(blamed, of.edits)
  return reviewed
}

const keyOf = ({ pointer, message }: SchemaProblem): string => `${pointer} ${message}`

const isAt = ({ path }: Correction, pointer: string): boolean => pointer === path || pointer.startsWith(`${path}/`)

function refused({ pointer, message }: SchemaProblem, edits: readonly Correction[]): Error {
  const at = edits.findLastIndex((edit) => isAt(edit, pointer) || edit.path.startsWith(`${pointer}/`))
  const { kind, value } = edits[at] ?? {}
  const loc = at < 0 ? ['body', 'changes'] : ['body', 'changes', at, kind === 'absent' ? 'kind' : 'value']
  return invalid(loc, `${pointer || 'The response'} ${message}`, { type: 'schema_violation', input: value ?? null })
}

/** An answer with one more change, the one at this place of the request. Throws ValidationFailures. */
export function applied(state: Json, edit: Correction, at: number): Json {
  try {
    return withEdit(state, edit)
  } catch (error) {
    if (error instanceof BadCorrection)
      throw invalid(['body', 'changes', at, 'path'], error.message, { input: edit.path })
    throw error
  }
}
