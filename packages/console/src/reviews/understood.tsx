import { exactNumber } from '../format.ts'
import type { Json, JsonObject } from '../wire.ts'
import type { Decimal } from './number-readings.ts'
import { expectsNumber, typedReadings } from './typed-value.ts'

interface TypedNumber {
  readonly text: string
  readonly schema: JsonObject | undefined
  readonly before: Json | undefined
  readonly decimal: Decimal | undefined
}

/** Which number a typed text is taken for, where that is not plain to see. */
export function Understood({ text, schema, before, decimal }: TypedNumber) {
  const readings = expectsNumber(schema, before) ? typedReadings(text, schema, before, decimal) : []
  const isPlain = readings.length === 1 && Number(text.replace(decimal ?? '.', '.')) === readings[0]
  return (
    <span class="small soft understood" role="status">
      {!isPlain && readings.length > 0 && `= ${readings.map((one) => exactNumber(Number(one))).join(' or ')}`}
    </span>
  )
}
