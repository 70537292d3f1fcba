import { type JsonSchema, pointerSteps } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { namesAt } from '../../agent/schema/schema-places.ts'

const listedMax = 10

/** Refuses a value for a property that the schema does not name, unless it leaves them open. */
export function refuseUnknownField(schema: JsonSchema | null, path: string, at: number): void {
  const steps = pointerSteps(path)
  const name = steps.at(-1)
  const names = schema === null ? null : namesAt(schema, steps.slice(0, -1))
  if (name === undefined || names === null || names.includes(name)) return
  const listed = names.slice(0, listedMax).map((one) => JSON.stringify(one))
  const more = names.length > listedMax ? ' and more' : ''
  throw invalid(
    ['body', 'changes', at, 'path'],
    `The schema has no field ${path}. At this place it has ${listed.join(', ')}${more}`,
    { input: path },
  )
}
