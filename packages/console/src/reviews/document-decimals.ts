import { valueAt } from '@skillrun/core/json.ts'
import { type Decimal, numberWith } from '@skillrun/core/written-numbers.ts'
import type { Execution, Json } from '../wire.ts'

/** The sign before decimals in the numbers that an answer quotes; undefined: none of them shows it, or they differ. */
export function decimalOf({
  evidence,
  response,
}: Pick<Execution, 'response'> & Partial<Pick<Execution, 'evidence'>>): Decimal | undefined {
  const signs = Object.entries(evidence ?? {}).flatMap(([pointer, { quote }]): Decimal[] => {
    if (!quote || typeof valueAt(response as Json, pointer) !== 'number') return []
    const [point, comma] = [numberWith('.', quote), numberWith(',', quote)]
    if (point === undefined) return comma === undefined ? [] : [',']
    return comma === undefined ? ['.'] : []
  })
  const [first, ...others] = new Set(signs)
  return others.length > 0 ? undefined : first
}
