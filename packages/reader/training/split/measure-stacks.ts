import { parseArgs } from 'node:util'
import { extract } from '../../src/extract/extract.ts'
import { riskOf } from '../../src/score/risk.ts'
import { groups, makeStacks } from './stacks.ts'

/**
 * How files with several documents are answered when they are asked for one: how many are warned of, and how many answers have values of
 * several. Of files with one document, how many are warned of.
 *
 *     node packages/reader/training/split/measure-stacks.ts [--split kept-out] [--stacks 12]
 */
const { values } = parseArgs({
  options: { split: { type: 'string', default: 'kept-out' }, stacks: { type: 'string', default: '12' } },
})
const split = values.split === 'train' ? 'train' : 'kept-out'
const count = Number(values.stacks)

for (const isOne of [false, true]) {
  const rows: Record<string, { files: number; warned: number; mixed: number }> = {}
  for (const group of Object.keys(groups)) {
    const row = { files: 0, warned: 0, mixed: 0 }
    rows[group] = row
    for await (const { document, schema, pieces } of makeStacks(group, { split, count, isOne })) {
      const { evidence, warnings = [] } = extract({
        documents: [{ input: 'file', document }],
        values: {},
        schema,
        risk: riskOf(undefined),
      })
      const used = Object.values(evidence).flatMap(({ page, status }) =>
        page === undefined || status === 'unsupported'
          ? []
          : [pieces.findIndex(({ first, last }) => page >= first && page <= last)],
      )
      row.files += 1
      if (warnings.some(({ code }) => code === 'several_documents')) row.warned += 1
      if (new Set(used).size > 1) row.mixed += 1
    }
  }
  console.log(isOne ? 'Files with one document' : 'Files with several documents')
  console.table(rows)
}
