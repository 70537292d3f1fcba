import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { shippedModel, type Threshold } from '../../src/score/model.ts'
import { probabilityOf } from '../../src/score/trees.ts'
import { groupsOf } from './collect.ts'
import { choicesOf, keepsTo, probabilityAt } from './fit.ts'
import { printedDocuments } from './printed.ts'
import { fewQuestion, ownQuestion } from './questions.ts'

/**
 * Raises the thresholds of weights that were trained without printed pages to those that keep to their rates on these pages.
 *
 *     node packages/reader/training/score/printed-thresholds.ts --version NAME [--cache FOLDER] [--dry]
 *
 * For each rate it takes the least probability from which the share of wrong values is at most the rate, to a tenth of a
 * percent: the share itself, for the pages are too few for a bound. A threshold that is higher already stays.
 */
const { values: asked } = parseArgs({
  options: { version: { type: 'string' }, cache: { type: 'string' }, dry: { type: 'boolean', default: false } },
})

const model = shippedModel()
const judged: { readonly probability: number; readonly isRight: boolean }[] = []
for await (const document of printedDocuments({ cache: asked.cache, takes: () => true })) {
  const groups = [
    ...groupsOf(document, ownQuestion(document), 'own'),
    ...groupsOf(document, fewQuestion(document), 'few'),
  ]
  for (const { features, isRight } of choicesOf(groups, model.candidates))
    judged.push({ probability: probabilityAt(model.calibration.text, probabilityOf(model.choice, features)), isRight })
}

const steps = [...new Set(judged.map(({ probability }) => probability))]
  .toSorted((a, b) => b - a)
  .map((probability) => {
    const given = judged.filter((one) => one.probability >= probability)
    return { probability, answers: given.length, wrong: given.filter(({ isRight }) => !isRight).length }
  })
const raised = model.thresholds.text.map((threshold): Threshold => {
  const { maxWrongRate } = threshold
  const found = steps.findLast((step) => keepsTo(maxWrongRate, step))
  if (found === undefined) return { maxWrongRate, probability: 1, answers: 0, wrong: 0 }
  return found.probability <= threshold.probability ? threshold : { maxWrongRate, ...found }
})
console.table(model.thresholds.text)
console.table(raised)
if (!asked.dry) {
  const version = asked.version ?? model.version
  const thresholds = { ...model.thresholds, text: raised }
  await writeFile(
    new URL('../../src/score/model.json', import.meta.url),
    `${JSON.stringify({ ...model, version, thresholds })}\n`,
  )
}
