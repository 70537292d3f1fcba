import { assert } from '@skillrun/core/assert.ts'
import pg from 'pg'
import { isLargeJson, parseJsonInTurns } from '../../../core/parse-json.ts'

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

/** A JSON value that is too large to be parsed while its row is read. */
class UnparsedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const jsonValue = (text: string): unknown => (isLargeJson(text) ? new UnparsedJson(text) : JSON.parse(text))

/** Parses the large JSON values of rows, where there are any; others are served meanwhile. */
export async function parseLargeValues({ rows, fields }: pg.QueryResult): Promise<void> {
  const names = fields.filter(({ dataTypeID }) => jsonOids.has(dataTypeID)).map(({ name }) => name)
  if (names.length === 0) return
  for (const row of rows as Record<string, unknown>[])
    for (const name of names) {
      const value = row[name]
      if (value instanceof UnparsedJson) row[name] = await parseJsonInTurns(value.text)
    }
}

const jsonOids: ReadonlySet<number> = new Set([builtins.JSON, builtins.JSONB])

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [bigintArrayOid, safeIntegers],
  [builtins.JSON, jsonValue],
  [builtins.JSONB, jsonValue],
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
