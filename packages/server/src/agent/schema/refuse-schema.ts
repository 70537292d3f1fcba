import { createHash } from 'node:crypto'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json, type JsonSchema, pointerSteps } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { surelyCompiles } from './plain-schema.ts'
import { checkSchemaJob, findSchemaProblem } from './schema.ts'

const knownGoodSchemas = new Set<string>()
const knownGoodSchemasMax = 1_000

/**
 * Rejects a caller's schema that is invalid, too large or refers to other documents, with a ValidationFailure at `loc` and the
 * place in the schema. Compiles it in the process pool once, unless it is so plain that it surely can be, and remembers good schemas.
 */
export async function refuseBadSchema(
  processPool: ProcessPool,
  check: { schema: JsonSchema; loc: readonly (string | number)[]; signal: AbortSignal },
): Promise<void> {
  const { schema, loc, signal } = check
  const text = JSON.stringify(schema)
  const refuse = (problem: { pointer: string; message: string }) => {
    throw invalid([...loc, ...placeIn(schema, problem.pointer)], problem.message, { type: 'json_schema' })
  }
  if (Buffer.byteLength(text) > limits.schemaBytesMax)
    refuse({ pointer: '', message: `The schema should be at most ${limits.schemaBytesMax} bytes` })
  const hash = createHash('sha256').update(text).digest('base64')
  if (knownGoodSchemas.has(hash)) return
  const problem =
    findSchemaProblem(schema) ?? (surelyCompiles(schema) ? null : await compileProblem(processPool, schema, signal))
  if (problem) refuse(problem)
  if (knownGoodSchemas.size >= knownGoodSchemasMax) knownGoodSchemas.clear()
  knownGoodSchemas.add(hash)
}

async function compileProblem(
  processPool: ProcessPool,
  schema: JsonSchema,
  signal: AbortSignal,
): Promise<{ pointer: string; message: string } | null> {
  try {
    return await processPool.run(
      checkSchemaJob,
      { schema },
      { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal },
    )
  } catch (error) {
    if (error instanceof Fault && error.code === 'input_too_costly')
      return { pointer: '', message: 'The schema takes too long to compile; make it smaller' }
    throw error
  }
}

/** The steps of a pointer into the schema; steps into arrays are numbers. */
function placeIn(schema: JsonSchema, pointer: string): (string | number)[] {
  let value: Json | undefined = schema
  return pointerSteps(pointer).map((step) => {
    const inList = Array.isArray(value)
    if (isJsonObject(value)) value = value[step]
    else value = Array.isArray(value) ? value[Number(step)] : undefined
    return inList ? Number(step) : step
  })
}
