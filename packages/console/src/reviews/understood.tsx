import { exactNumber, longDay } from '../format.ts'
import type { Json, JsonObject } from '../wire.ts'
import { expectsDay, expectsNumber, typedReadings, type WritingHabits } from './typed-value.ts'

interface TypedText {
  readonly text: string
  readonly schema: JsonObject | undefined
  readonly before: Json | undefined
  readonly habits: WritingHabits | undefined
}

/** A number or day that nobody takes for another. */
export const readingText = (reading: Json): string =>
  typeof reading === 'number' ? exactNumber(reading) : longDay(String(reading))

/** Which number or day a typed text is taken for, where that is not plain to see. */
export function Understood({ text, schema, before, habits = {} }: TypedText) {
  const isNumber = expectsNumber(schema, before)
  const readings = isNumber || expectsDay(schema) ? typedReadings(text, schema, before, habits) : []
  const plain = isNumber ? Number(text.replace(habits.decimal ?? '.', '.')) : text
  const isPlain = readings.length === 1 && plain === readings[0]
  return (
    <span class="small soft understood" role="status">
      {!isPlain && readings.length > 0 && `= ${readings.map(readingText).join(' or ')}`}
    </span>
  )
}
