import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '../../../../test/support/documents.ts'
import { extract } from '../extract/extract.ts'
import { readDocument } from '../media/read-document.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-tables-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const text = { type: ['string', 'null'] }
const schema = {
  type: 'object',
  properties: {
    tables: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: text,
          headers: { type: 'array', items: text },
          rows: { type: 'array', items: { type: 'array', items: text } },
        },
      },
    },
  },
  required: ['tables'],
}

async function tablesIn(lines: readonly string[]) {
  const path = join(folder, 'table.txt')
  await writeFile(path, lines.join('\n'))
  const document = await readDocument({ path })
  return extract({ documents: [{ input: 'file', document }], values: {}, schema })
}

describe('tables without a schema', () => {
  test('have their headings, their rows, null for an empty cell, and evidence for each text', async () => {
    const { answer, evidence } = await tablesIn([
      'Opening hours are as follows.',
      '',
      'Stock of the boathouse',
      'Boat      Berth    Length   Crew',
      'Heron     14C      5.2 m    4',
      'Plover             3.9 m    2',
      'Avocet    2A       7.0 m    6',
    ])
    expect(answer).toEqual({
      tables: [
        {
          title: 'Stock of the boathouse',
          headers: ['Boat', 'Berth', 'Length', 'Crew'],
          rows: [
            ['Heron', '14C', '5.2 m', '4'],
            ['Plover', null, '3.9 m', '2'],
            ['Avocet', '2A', '7.0 m', '6'],
          ],
        },
      ],
    })
    expect(evidence['/tables/0/rows/0/1']).toMatchObject({ status: 'verified', quote: '14C', input: 'file', page: 0 })
    expect(evidence['/tables/0/headers/2']).toMatchObject({ quote: 'Length' })
    expect(evidence['/tables/0/rows/1/1']).toBeUndefined()
  })

  test('are neither labels with values nor prose', async () => {
    const none = await tablesIn(['Name:      Keller', 'Berth:     14C', 'Length:    5.2 m', '', 'It is a fine boat.'])
    expect(none.answer).toMatchObject({ tables: [] })
    const prose = await makePdf([['A boat is a thing.', 'It floats on water and', 'carries people.']])
    await writeFile(join(folder, 'prose.pdf'), prose)
    const document = await readDocument({ path: join(folder, 'prose.pdf') })
    const found = extract({ documents: [{ input: 'file', document }], values: {}, schema })
    expect(found.answer).toMatchObject({ tables: [] })
  })
})
