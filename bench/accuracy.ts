import { type Kind, kinds, layoutNames, makeDocument } from '../packages/reader/training/documents/document.ts'
import { type Variant, variants } from '../packages/reader/training/documents/render.ts'
import { type Split, splits } from '../packages/reader/training/documents/words.ts'
import { scoreReceipts } from './accuracy/receipts.ts'
import { type Group, writeReport } from './accuracy/report.ts'
import { type Mark, rates, score, tally } from './accuracy/score.ts'
import { ask, type Outcome } from './accuracy/subjects.ts'
import { optionsOf } from './options.ts'

/**
 * Field accuracy of the embedded engine on generated documents, read by the product's own reader.
 *
 *     node bench/accuracy.ts --split train --count 20 --variant pdf,scan --kind invoice --receipts FOLDER
 *
 * Definitions: `right %` and `missing %` are shares of the fields that have a value in the truth. `wrong %` is a share
 * of all fields with a value in the truth or in the answer; it counts wrong values, and values where the truth is null.
 * A field that is null in both does not count. Two controls run on the same documents: an engine that always answers
 * null (right must be 0), and one that answers the truth of the next document (right must be near 0; documents share
 * some currencies and rates). `--layout wide` selects layouts whose name contains that word. `--show 30` prints that
 * many fields that are not right.
 *
 * `--split train` tunes the engine. `kept-out` only measures it and prints nothing but totals, whatever the options
 * (packages/reader/training/documents/README.md). `known` runs every layout of the train part, `--count` documents
 * each, from seeds that start at `--first` and should not be used for tuning; it prints totals only.
 */
const asked = optionsOf({
  ...{ split: 'train', count: 20, first: 0, variant: 'pdf', kind: kinds.join(','), layout: '' },
  ...{ receipts: '', photographs: false, show: 0, quiet: false },
})

const isHidden = asked.split !== 'train'
const options = { ...asked, quiet: asked.quiet || isHidden }

function chosen<T extends string>(name: string, text: string, allowed: readonly T[]): T[] {
  return text.split(',').map((given) => {
    const known = allowed.find((value) => value === given)
    if (known === undefined) throw new Error(`--${name} is one of ${allowed.join(', ')}, not ${given}.`)
    return known
  })
}

async function run(): Promise<void> {
  if (options.receipts) await runReceipts(options.receipts)
  else await runDocuments()
}

async function runDocuments(): Promise<void> {
  const [split = 'train'] = chosen('split', options.split, [...splits, 'known'] as const)
  const groups: Group[] = []
  const controls: Record<'null' | 'shuffled', Mark[]> = { null: [], shuffled: [] }
  const refusals = new Map<string, number>()
  for (const kind of chosen('kind', options.kind, kinds))
    for (const variant of chosen('variant', options.variant, variants)) {
      const outcomes = await (split === 'known' ? askEach(kind, variant) : askAll(kind, variant, split))
      groups.push({
        name: `${kind} ${variant}`,
        documents: outcomes.length,
        marks: outcomes.flatMap((outcome) => marksOf(outcome, outcome.answer)),
        seconds: outcomes.reduce((sum, { readMs, extractMs }) => sum + (readMs + extractMs) / 1000, 0),
      })
      if (!isHidden) showMisses(outcomes)
      for (const [n, outcome] of outcomes.entries()) {
        controls.null.push(...marksOf(outcome, null))
        if (outcomes.length > 1)
          controls.shuffled.push(...marksOf(outcome, outcomes[(n + 1) % outcomes.length]?.made.truth ?? null))
        if (outcome.refusal !== null) refusals.set(outcome.refusal, (refusals.get(outcome.refusal) ?? 0) + 1)
      }
    }
  const all = {
    name: 'all',
    documents: groups.reduce((sum, { documents }) => sum + documents, 0),
    marks: groups.flatMap(({ marks }) => marks),
    seconds: groups.reduce((sum, { seconds }) => sum + seconds, 0),
  }
  console.log(writeReport([...groups, all], { quiet: options.quiet }))
  console.log('')
  for (const [name, marks] of Object.entries(controls))
    console.log(`control, ${name}: right ${rates(tally(marks)).right.toFixed(1)} %`)
  for (const [words, count] of refusals) console.log(`refused ${count}: ${words}`)
}

let shown = 0

function showMisses(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes)
    for (const { field, verdict, expected, given } of marksOf(outcome, outcome.answer)) {
      if (verdict === 'right' || verdict === 'empty' || shown >= options.show) continue
      const { name, layout, language } = outcome.made
      console.log(`${name} ${layout} ${language} ${field}: ${JSON.stringify(expected)}, not ${JSON.stringify(given)}`)
      shown += 1
    }
}

async function askAll(kind: Kind, variant: Variant, split: Split): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let seed = options.first; seed < options.first + options.count; seed += 1)
    if (options.layout === '' || (await makeDocument({ kind, seed, split })).layout.includes(options.layout))
      outcomes.push(await ask({ kind, seed, split, variant }))
  return outcomes
}

/** The same number of documents of each layout of the train part, with distinct seeds. */
async function askEach(kind: Kind, variant: Variant): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let seed = options.first
  for (const layout of layoutNames(kind, 'train'))
    for (let n = 0; n < options.count; n += 1, seed += 1)
      outcomes.push(await ask({ kind, seed, split: 'train', layout, variant }))
  return outcomes
}

function marksOf({ made, variant }: Outcome, answer: Outcome['answer']): Mark[] {
  return score({ truth: made.truth, accepts: made.accepts, answer, recognised: variant !== 'pdf' })
}

/** Published results on the larger data set that these receipts belong to, in percent of documents. */
const knownMarks = [
  'regular expression over the given lines: date 97.3, total 46.0 (63.7 with lines joined into rows)',
  'value stands in the given lines: total 100, date 99.5, company 97.9, address 94.4',
  'value stands in the text of plain tesseract: total 84, date 71, company 65, address 48',
]

async function runReceipts(folder: string): Promise<void> {
  const marks = await scoreReceipts(folder, { count: options.count, photographs: options.photographs })
  const groups: Group[] = [
    { name: 'receipts, given lines', documents: marks.count, marks: marks.lines, seconds: marks.seconds },
    ...(options.photographs
      ? [{ name: 'receipts, photographs', documents: marks.count, marks: marks.photographs, seconds: marks.seconds }]
      : []),
  ]
  console.log(writeReport(groups, { quiet: options.quiet }))
  console.log(`\nknown marks\n  ${knownMarks.join('\n  ')}`)
}

await run()
