import { parseArgs } from 'node:util'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { shortfallsIn, shortfallWarnings } from '../../src/checks/missing-rows.ts'
import { layoutDocument } from '../../src/layout/layout.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { madeDocuments } from '../score/made.ts'
import { randomOf, statementOf } from './made-statement.ts'

/**
 * How often a dropped row of a generated document is noticed, and how often a complete list raises an alarm. The answers
 * are the truth of the documents, complete and without one row each.
 *
 *     node packages/reader/training/tables/shortfalls.ts --split train --cache /tmp/made
 *     node packages/reader/training/tables/shortfalls.ts --statements 200 --rows 1000
 */
const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'train' },
    cache: { type: 'string' },
    forms: { type: 'string', default: 'pdf,text' },
    statements: { type: 'string', default: '0' },
    rows: { type: 'string', default: '1000' },
    verbose: { type: 'boolean', default: false },
  },
})

interface Count {
  complete: number
  alarms: number
  dropped: number
  caught: number
}

const counts = new Map<string, Count>()
for (let seed = 1; seed <= Number(values.statements); seed++) {
  const { text, items } = statementOf(seed, Number(values.rows))
  const pages = layoutDocument(await readDocument({ text }), 0)
  const dropped = Math.floor(randomOf(seed + 5_000)() * items.length)
  const count = counts.get('statements') ?? { complete: 0, alarms: 0, dropped: 0, caught: 0 }
  counts.set('statements', count)
  count.complete += 1
  count.dropped += 1
  if (shortfallsIn({ rows: [...items] }, () => pages).length > 0) count.alarms += 1
  if (shortfallsIn({ rows: items.toSpliced(dropped, 1) }, () => pages)[0]?.expected === items.length) count.caught += 1
}
const split = values.split === 'kept-out' ? 'kept-out' : 'train'
const forms = (Number(values.statements) > 0 ? '' : values.forms)
  .split(',')
  .filter((form) => form === 'pdf' || form === 'text' || form === 'noisy')
for await (const { set, id, truth, document } of madeDocuments(split, { cache: values.cache, forms })) {
  const pages = layoutDocument(document, 0)
  const [name, rows] = Object.entries(truth).find(([, value]) => Array.isArray(value)) ?? []
  if (name === undefined || !Array.isArray(rows) || rows.length === 0) continue
  const count = counts.get(set) ?? { complete: 0, alarms: 0, dropped: 0, caught: 0 }
  counts.set(set, count)
  count.complete += 1
  const alarms = shortfallsIn(truth as Json, () => pages)
  if (alarms.length > 0) count.alarms += 1
  if (values.verbose && alarms.length > 0) console.log(id, ...shortfallWarnings(alarms).map(({ message }) => message))
  if (rows.length < 4) continue
  for (const at of [0, Math.floor(rows.length / 2), rows.length - 1]) {
    count.dropped += 1
    const answer: Json = isJsonObject(truth) ? { ...truth, [name]: rows.toSpliced(at, 1) } : truth
    const found = shortfallsIn(answer, () => pages)
    if (found.length > 0) count.caught += 1
    else if (values.verbose) console.log(id, `row ${at} of ${rows.length} is not missed`, JSON.stringify(rows[at]))
  }
}
console.table(Object.fromEntries(counts))
