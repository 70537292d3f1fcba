import { parseArgs } from 'node:util'
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { extract } from '../../src/extract/extract.ts'
import type { ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { riskOf } from '../../src/score/risk.ts'
import { judge } from '../judge.ts'
import { forms } from './forms.ts'
import { formKinds, makeForm } from './made-forms.ts'
import { drawForm } from './pen.ts'

/**
 * How many fields of forms the reader gets right by default and at some rates of wrong values: those of `forms.ts`, and generated ones of
 * the kinds that no training sees (`kept-out-kinds.txt`), of which only totals are printed.
 *
 *     node packages/reader/training/forms/measure.ts [--show] [--kept-out COUNT]
 */
const { values: asked } = parseArgs({
  options: { show: { type: 'boolean', default: false }, 'kept-out': { type: 'string', default: '0' } },
})

interface Answered {
  readonly name: string
  readonly schema: JsonSchema
  readonly truth: JsonObject
  readonly document: ReadDocument
}

async function* written(): AsyncGenerator<Answered> {
  for (const { name, schema, truth, draw } of forms)
    yield { name, schema, truth, document: await readDocument({ bytes: await drawForm(draw) }) }
}

async function* keptOut(count: number): AsyncGenerator<Answered> {
  for (const kind of formKinds('kept-out'))
    for (let seed = 0; seed < count; seed++) {
      const { pdf, schema, truth } = await makeForm(kind, seed, 'kept-out')
      yield { name: kind, schema, truth, document: await readDocument({ bytes: pdf }) }
    }
}

const rates = [undefined, 0.02, 0.05, 0.1]

async function measure(title: string, all: AsyncGenerator<Answered>, isShown: boolean): Promise<void> {
  const counts = rates.map(() => ({ there: 0, right: 0, given: 0 }))
  for await (const { name, schema, truth, document } of all)
    for (const [at, rate] of rates.entries()) {
      const { answer } = extract({ documents: [{ input: name, document }], values: {}, schema, risk: riskOf(rate) })
      for (const { field, value, given } of leavesOf(truth, answer)) {
        const verdict = judge({ field, value, accepted: [], recognised: false }, given)
        const count = counts[at] ?? { there: 0, right: 0, given: 0 }
        if (value !== null) count.there++
        if (verdict === 'right') count.right++
        if (verdict === 'right' || verdict === 'wrong' || verdict === 'extra') count.given++
        if (isShown && rate === undefined && verdict !== 'right' && verdict !== 'empty')
          console.log(`${name} ${field}: ${verdict}, ${JSON.stringify(given)}, not ${JSON.stringify(value)}`)
      }
    }
  for (const [at, { there, right, given }] of counts.entries()) {
    const [ofThere, wrong] = [(100 * right) / Math.max(1, there), (100 * (given - right)) / Math.max(1, given)]
    const rate = rates[at] ?? 'default'
    console.log(
      `${title}, ${rate}: ${right} of ${there} right (${ofThere.toFixed(1)} %), ${given - right} of ${given} wrong (${wrong.toFixed(1)} %)`,
    )
  }
}

/** The single values of the truth with what was answered in their place. */
function leavesOf(truth: JsonObject, answer: Json | undefined): { field: string; value: Json; given: Json }[] {
  const own = isJsonObject(answer ?? null) ? (answer as JsonObject) : {}
  return Object.entries(truth).flatMap(([field, value]) =>
    isJsonObject(value) ? leavesOf(value, own[field]) : [{ field, value, given: own[field] ?? null }],
  )
}

await measure('forms.ts', written(), asked.show)
const count = Number(asked['kept-out'])
if (count > 0) await measure('kinds kept out', keptOut(count), false)
