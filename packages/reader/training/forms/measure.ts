import { parseArgs } from 'node:util'
import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import { extract } from '../../src/extract/extract.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { judge } from '../judge.ts'
import { forms } from './forms.ts'
import { drawForm } from './pen.ts'

/**
 * How many fields of the forms the reader gets right: `right` and `missing` are shares of the fields with a value, `wrong` of all.
 *
 *     node packages/reader/training/forms/measure.ts [--show]
 */
const { values: asked } = parseArgs({ options: { show: { type: 'boolean', default: false } } })

const all = { fields: 0, right: 0, wrong: 0 }
for (const { name, schema, truth, draw } of forms) {
  const document = await readDocument({ bytes: await drawForm(draw) })
  const { answer } = extract({
    documents: [{ input: name, document }],
    values: {},
    schema,
    risk: { maxWrongRate: 0.02, unsure: 'mark' },
  })
  const given = isJsonObject(answer) ? answer : ({} satisfies JsonObject)
  const own = { fields: 0, right: 0, wrong: 0 }
  for (const [field, value] of Object.entries(truth)) {
    own.fields++
    const verdict = judge({ field, value, accepted: [], recognised: false }, given[field])
    if (verdict === 'right' || verdict === 'empty') own.right++
    if (verdict === 'wrong' || verdict === 'extra') own.wrong++
    if (asked.show && verdict !== 'right')
      console.log(`${name} ${field}: ${verdict}, ${JSON.stringify(given[field])}, not ${JSON.stringify(value)}`)
  }
  console.log(`${name.padEnd(28)} ${own.right} of ${own.fields} right, ${own.wrong} wrong`)
  for (const key of ['fields', 'right', 'wrong'] as const) all[key] += own[key]
}
const percent = (count: number): string => ((100 * count) / all.fields).toFixed(1)
console.log(`${'all'.padEnd(28)} ${percent(all.right)} % right, ${percent(all.wrong)} % wrong of ${all.fields} fields`)
