import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Group, groupsOf } from './collect.ts'
import { judgeByFold, judgeStrange, reliability, table } from './evaluate.ts'
import { fit, folds, heldOutChoices, strangeChoices } from './fit.ts'
import type { LabelledDocument } from './labelled.ts'
import { madeDocuments } from './made.ts'
import { otherQuestion, ownQuestion } from './questions.ts'
import { realDocuments } from './sets.ts'

/**
 * Trains and calibrates the score of the reader.
 *
 *     npm run reader:train -- --data FOLDER --cache FOLDER --forms pdf,text
 *
 * It trains on generated documents, and on the labelled sets of `--data` where that is given. `--cache` keeps what was read of the
 * documents, which takes the most time. It is calibrated on documents of known sets, and on each real set by a score that
 * was trained without it. `--dry` prints the tables and writes nothing. The same documents give the same file.
 */
const { values: asked } = parseArgs({
  options: {
    data: { type: 'string' },
    cache: { type: 'string' },
    forms: { type: 'string', default: 'pdf,text' },
    sets: { type: 'string', default: 'ad-invoices,contracts,e-invoices,invoices,ndas,receipts' },
    dry: { type: 'boolean', default: false },
    version: { type: 'string', default: 'score-2026-11-23' },
  },
})

const place = new URL('../../src/score/model.json', import.meta.url)
const rates = [0.02, 0.05, 0.1]
const startedAt = performance.now()
const tell = (text: string): void =>
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`)

async function* documents(): AsyncGenerator<LabelledDocument> {
  const forms = (['pdf', 'text', 'noisy'] as const).filter((form) => asked.forms.split(',').includes(form))
  yield* madeDocuments('train', { cache: asked.cache, forms })
  if (asked.data !== undefined) yield* realDocuments(asked.data, asked.cache, asked.sets.split(','))
}

/** Photographs of receipts and their text lines: the reader does not use the score on them, so that other names for their fields teach little. */
const recognisedSets = new Set(['photos', 'receipts'])

async function collect(): Promise<Group[]> {
  const groups: Group[] = []
  const counts = new Map<string, number>()
  for await (const document of documents()) {
    groups.push(...groupsOf(document, ownQuestion(document), false))
    if (!recognisedSets.has(document.set)) groups.push(...groupsOf(document, otherQuestion(document), true))
    const count = (counts.get(document.set) ?? 0) + 1
    counts.set(document.set, count)
    if (count % 50 === 0) tell(`${document.set}: ${count} documents`)
  }
  // The order of the examples is part of what decides a tree.
  const isReal = ({ set }: Group): number => (set.startsWith('made-') ? 0 : 1)
  return groups.toSorted((a, b) => isReal(a) - isReal(b) || (a.set < b.set ? -1 : a.set > b.set ? 1 : 0))
}

const groups = await collect()
tell(`${groups.length} fields with ${groups.reduce((sum, { keys }) => sum + keys.length, 0)} candidates`)
const held = heldOutChoices(groups, tell)
const realSets = [...new Set(groups.map(({ set }) => set))].filter((set) => !set.startsWith('made-'))
const strange = strangeChoices(groups, realSets, tell)
const choices = [...held, ...strange]
const judged = judgeByFold(held, choices)
console.log(`\nBy document, in ${folds} folds:\n\n${table(judged, rates)}\n\n${reliability(judged)}`)
if (strange.length > 0) {
  const unknown = judgeStrange(strange, choices)
  console.log(`\nEach real set by a score trained without it:\n\n${table(unknown, rates)}\n\n${reliability(unknown)}`)
}
if (!asked.dry) {
  const model = `${JSON.stringify(fit(groups, choices, asked.version))}\n`
  await writeFile(place, model)
  tell(`${(model.length / 1024).toFixed(0)} KiB in ${place.pathname}`)
}
