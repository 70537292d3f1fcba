import pg from 'pg'
import { assert } from '../../../kit/assert.ts'

const { builtins } = pg.types

const asText = (text: string): string => text

/** bigint as number. Counters, sizes and micro-amounts all fit; one that does not is our mistake. */
function safeInteger(text: string): number {
  const number = Number(text)
  assert(Number.isSafeInteger(number), 'the database gave a bigint beyond 2^53; cast it to text in the statement')
  return number
}

const bigintArrayOid = 1016

/** `{1,NULL,3}`; none of our columns holds an array of more than one dimension. */
function safeIntegers(text: string): (number | null)[] {
  const items = text.slice(1, -1)
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : safeInteger(item)))
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [bigintArrayOid, safeIntegers],
  // Without a time zone there is no moment: a Date would take this machine's zone for it.
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.NUMERIC, asText],
])

/** How PostgreSQL's values become ours, as `db.ts` promises it. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')
  },
}
