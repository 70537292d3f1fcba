import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { diagram, type Judged, judgeByFold, judgeStrange, reliability, table } from './evaluate.ts'
import { fit, folds, heldOutChoices, strangeChoices } from './fit.ts'
import { collectGroups } from './workers.ts'

/**
 * Trains and calibrates the score of the reader.
 *
 *     npm run reader:train -- --data FOLDER --cache FOLDER
 *
 * It trains on generated documents and forms, on printed pages where there is a browser, and on the labelled sets of `--data` where that is
 * given. `--cache` keeps what was read of the
 * documents, which takes the most time. It is calibrated on choices for each family of sets by a score that was trained
 * without the family. `--dry` prints the tables and writes nothing. The same documents give the same file.
 */
const { values: asked } = parseArgs({
  options: {
    data: { type: 'string' },
    cache: { type: 'string' },
    forms: { type: 'string', default: 'pdf,text,noisy' },
    sets: { type: 'string', default: 'ad-invoices,contracts,e-invoices,invoices,ndas,photos,receipts' },
    dry: { type: 'boolean', default: false },
    version: { type: 'string', default: 'score-2026-11-30.4' },
  },
})

const place = new URL('../../src/score/model.json', import.meta.url)
const diagrams = new URL('../../../../docs/images/', import.meta.url)
const rates = [0.02, 0.05, 0.1]
const startedAt = performance.now()
const log = (text: string): void =>
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}`)

const groups = await collectGroups({
  forms: (['pdf', 'text', 'noisy'] as const).filter((form) => asked.forms.split(',').includes(form)),
  folder: asked.data,
  sets: asked.sets.split(','),
  cache: asked.cache,
})
log(`${groups.length} fields with ${groups.reduce((sum, { keys }) => sum + keys.length, 0)} candidates`)
const strange = await strangeChoices(groups, log)
if (!asked.dry) {
  const model = `${JSON.stringify(await fit(groups, strange, asked.version))}\n`
  await writeFile(place, model)
  log(`${(model.length / 1024).toFixed(0)} KiB in ${place.pathname}`)
}
const judged = {
  known: await judgeByFold(await heldOutChoices(groups, log), strange),
  strange: await judgeStrange(strange),
}
for (const asking of ['own', 'few'] as const)
  for (const [name, all] of Object.entries(judged)) {
    const own = all.filter(({ choice }) => choice.group.asking === asking)
    const title =
      name === 'known'
        ? `Known sets, by document in ${folds} folds`
        : 'Each family of sets by a score that knows none of it'
    console.log(
      `\n${title}, ${asking === 'own' ? 'all fields' : 'one to three fields'}:\n\n${table(own, rates)}\n\n${reliability(own)}`,
    )
  }
const isOwn = ({ choice }: Judged): boolean => choice.group.asking === 'own'
if (!asked.dry) {
  await writeFile(
    new URL('known-sets.svg', diagrams),
    diagram('Known sets: probability and share of right answers', judged.known.filter(isOwn)),
  )
  await writeFile(
    new URL('unknown-sets.svg', diagrams),
    diagram('Sets left out: probability and share of right answers', judged.strange.filter(isOwn)),
  )
}
