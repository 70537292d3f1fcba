import { assert } from '@skillrun/core/assert.ts'
import pg from 'pg'
import { isLargeJson, parseJsonInTurns } from '../../../core/parse-json.ts'

const { builtins } = pg.types

const asText = (text: string): string => text

/** bigint as number. All our counters, sizes and micro-amounts fit; a larger value is a Bug. */
function safeInteger(text: string): number {
  const number = Number(text)
  assert(Number.isSafeInteger(number), 'the database returned a bigint beyond 2^53; cast it to text in the statement')
  return number
}

const bigintArrayOid = 1016

/** Parses `{1,NULL,3}`; none of our columns has multidimensional arrays. */
function safeIntegers(text: string): (number | null)[] {
  const items = text.slice(1, -1)
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : safeInteger(item)))
}

/** A JSON value that is too large to be parsed synchronously. */
class UnparsedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const jsonValue = (text: string): unknown => (isLargeJson(text) ? new UnparsedJson(text) : JSON.parse(text))

/** Parses the large JSON values of rows, yielding to other requests. */
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
  // Without a time zone it is not a moment: Date would assume this machine's zone.
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.NUMERIC, asText],
])

/** Conversion of PostgreSQL's values as documented in `db.ts`. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return parsers.get(oid) ?? pg.types.getTypeParser(oid, format ?? 'text')
  },
}
