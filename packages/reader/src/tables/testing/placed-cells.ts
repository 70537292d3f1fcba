import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import { madePdf } from '../../media/testing/made.ts'
import { read, type Source } from '../../reader.ts'

/** Cells at places, without rules: `[x, y, text]`. */
export type PlacedCells = readonly (readonly [x: number, y: number, text: string])[]

/** Pages with cells at places. */
export const pagesOfCells = (pages: readonly PlacedCells[]): Promise<Uint8Array> =>
  madePdf((document) => {
    for (const [at, put] of pages.entries()) {
      if (at > 0) document.addPage()
      document.font('Helvetica').fontSize(9)
      for (const [x, y, cell] of put) document.text(cell, x, y, { lineBreak: false })
    }
  })

/** Rows 16 points apart from a height on, with their cells at the same places. */
export const rowsAt = (rows: readonly (readonly string[])[], y: number, xs: readonly number[]): PlacedCells =>
  rows.flatMap((row, at) => row.map((cell, column) => [xs[column] ?? 0, y + at * 16, cell] as const))

/** What is read of a list `items` with such fields, and its evidence. */
export async function readItems(source: Source, properties: JsonObject, fileName?: string) {
  const items = { type: 'array', items: { type: 'object', properties } }
  const { response, evidence } = await read(source, {
    schema: { type: 'object', properties: { items } },
    ...(fileName && { fileName }),
  })
  return { items: isJsonObject(response) ? response['items'] : null, evidence }
}
