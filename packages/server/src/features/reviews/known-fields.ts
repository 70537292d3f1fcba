import { type JsonSchema, pointerSteps } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { nameFinder } from '../../agent/schema/schema-places.ts'

const listedMax = 10

/** Refuses places whose property the schema does not name, unless it leaves them open. The schema is looked through once, for the first. */
export function unknownFieldRefuser(schema: JsonSchema | null): (path: string, at: number) => void {
  let namesAt: ReturnType<typeof nameFinder> | undefined
  return (path, at) => {
    if (schema === null) return
    namesAt ??= nameFinder(schema)
    const steps = pointerSteps(path)
    const name = steps.at(-1)
    const names = namesAt(steps.slice(0, -1))
    if (name === undefined || names === null || names.includes(name)) return
    const listed = names.slice(0, listedMax).map((one) => JSON.stringify(one))
    const more = names.length > listedMax ? ' and more' : ''
    throw invalid(
      ['body', 'changes', at, 'path'],
      `The schema has no field ${path}. At this place it has ${listed.join(', ')}${more}`,
      { input: path },
    )
  }
}
