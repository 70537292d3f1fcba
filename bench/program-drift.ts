// A stream of documents of one sender whose layout changes: the wrong answers that a program serves before it is
// demoted, and whether a correct program is demoted or its answers are withheld. `node bench/program-drift.ts [--streams 10] [--papers 300]
// [--changes 50,120,200] [--quiet] [--late 40] [--first 0]`. `--changes none`: nothing changes. `--late`: a shadow run in the flex tier ends
// that many documents later. `--first`: the seed of the first stream. The agent counts as right, and as an independent judge.
import { packDocument } from '../packages/reader/src/media/packed-document.ts'
import { textDocument } from '../packages/reader/src/media/testing/text-document.ts'
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { compareAnswers } from '../packages/server/src/agent/compare-answers.ts'
import { learnJob } from '../packages/server/src/agent/programs/learn.ts'
import { exceedsWrongRate, type Recent, recentMax, withOutcome } from '../packages/server/src/core/demotion.ts'
import { whyWithheld } from '../packages/server/src/features/programs/drift/drift.ts'
import type { Guard } from '../packages/server/src/features/programs/guard.ts'
import { wrongFields } from '../packages/server/src/features/programs/judgement.ts'
import { lossesOf } from '../packages/server/src/features/programs/judgement-store.ts'
import { type CheckedAnswer, isWrongIn } from '../packages/server/src/features/programs/program-runs.ts'
import { prove } from '../packages/server/src/features/programs/prove.ts'
import { answerByContent, withoutGuesses } from '../packages/server/src/features/programs/serve.ts'
import { shadowDefaults, shareNow } from '../packages/server/src/features/programs/shadow-share.ts'
import { optionsOf } from './options.ts'
import { formSchema, forms, type Paper, quietForm } from './programs/forms.ts'
import { openProgramParts } from './programs/program-parts.ts'

const { papers, late, first, ...values } = optionsOf({
  streams: 10,
  papers: 300,
  changes: '50,120,200',
  late: 0,
  first: 0,
  quiet: false,
})
/** With `--quiet` the third layout has no new word, so the guard cannot detect it but shadow runs must. */
const used = values.quiet ? forms.with(2, quietForm) : forms
const changes = values.changes === 'none' ? [] : values.changes.split(',').map(Number)
/** The number of latest cases that a program is written from. */
const knownMax = 12

await using parts = await openProgramParts()
const signal = new AbortController().signal

interface InService {
  readonly source: string
  readonly guard: Guard
  runs: number
  recent: Recent
  accepted: string[]
  /** Its checked answers, and the fields that it has lost by them. */
  answers: CheckedAnswer[]
  lost: readonly string[]
}

/** The result of one stream; `wrong` by the layout in use, before its program was demoted. */
interface Stream {
  readonly served: number
  /** Served without fields that were left to the agent. */
  readonly partly: number
  readonly declined: number
  /** Why, with the number of times. */
  readonly because: Readonly<Record<string, number>>
  readonly byAgent: number
  readonly shadows: number
  /** Answers given by the agent because the document is strange, or because a checked answer was wrong; and those of them where the program was right. */
  readonly withheld: number
  readonly withheldRight: number
  readonly compiled: number
  readonly refused: number
  readonly wrong: readonly number[]
  readonly demotions: number
  /** Times that a program lost fields instead. */
  readonly losses: number
  /** Demoted although none of its recently compared answers was wrong. */
  readonly falseDemotions: number
}

const streams: Stream[] = []
for (let seed = first; seed < first + values.streams; seed += 1) {
  const one = await runStream(seed)
  streams.push(one)
  process.stdout.write(`stream ${seed}: ${JSON.stringify(one)}\n`)
}
const sum = (of: (one: Stream) => number): number => streams.reduce((total, one) => total + of(one), 0)
const report = {
  streams: streams.length,
  papers,
  changes,
  served: sum((one) => one.served),
  partly: sum((one) => one.partly),
  declined: sum((one) => one.declined),
  by_agent: sum((one) => one.byAgent),
  shadows: sum((one) => one.shadows),
  withheld: sum((one) => one.withheld),
  withheld_right: sum((one) => one.withheldRight),
  wrong_served_median: median(streams.map(({ wrong }) => wrong.reduce((total, count) => total + count, 0))),
  wrong_served_most: Math.max(...streams.map(({ wrong }) => wrong.reduce((total, count) => total + count, 0))),
  wrong_served_by_form: forms.map((_, form) => sum((one) => one.wrong[form] ?? 0)),
  wrong_served_most_in_one_change: Math.max(...streams.flatMap(({ wrong }) => wrong)),
  demotions: sum((one) => one.demotions),
  losses: sum((one) => one.losses),
  false_demotions: sum((one) => one.falseDemotions),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

async function runStream(seed: number): Promise<Stream> {
  const random = createRandom(`drift ${seed}`)
  const known: Paper[] = []
  const wrong = forms.map(() => 0)
  const because: Record<string, number> = {}
  const counts = {
    served: 0,
    partly: 0,
    declined: 0,
    byAgent: 0,
    shadows: 0,
    withheld: 0,
    withheldRight: 0,
    compiled: 0,
    refused: 0,
    demotions: 0,
    losses: 0,
    falseDemotions: 0,
  }
  let program: InService | undefined
  let sinceCompiled = 0
  /** Shadow runs that have not ended: the document at which each ends, its program, and what they will say of its answer. */
  const pending: { at: number; of: InService; checked: CheckedAnswer }[] = []
  const judge = (of: InService, checked: CheckedAnswer): void => {
    of.answers.push(checked)
    of.recent = withOutcome(of.recent, isWrongIn(checked, of.lost))
    if (of !== program || !exceedsWrongRate(of.recent, shadowDefaults.wrongRateMax)) return
    const losses = lossesOf({ ...of, schema: formSchema }, of.answers.slice(-recentMax), shadowDefaults)
    if (losses) {
      counts.losses += 1
      Object.assign(of, losses)
      return
    }
    counts.demotions += 1
    if (!of.recent.includes(true)) counts.falseDemotions += 1
    program = undefined
    sinceCompiled = 0
  }
  for (let n = 0; n < papers; n += 1) {
    for (const one of pending.filter(({ at }) => at === n)) judge(one.of, one.checked)
    const form = changes.filter((at) => n >= at).length
    const paper = (used[form] as (typeof forms)[number])(random)
    const run = program && (await serve(program, paper))
    if (program && run && !('declined' in run)) {
      const withheld = whyWithheld(program, program.guard.typical, run.whole)
      const given = withheld?.unseen.length ? run.whole : run.given
      const left = given.left?.fields ?? []
      const fields = wrongFields(compareAnswers(paper.answer, given.response), 'agent', left)
      const [isWrong, checked] = [fields.length > 0, { fields, left }]
      if (withheld) {
        counts.withheld += 1
        if (!isWrong) counts.withheldRight += 1
        if (!isWrong) program.accepted.push(...withheld.unseen)
        counts.byAgent += 1
        known.push(paper)
        judge(program, checked)
        continue
      }
      counts.served += 1
      if (given.left) counts.partly += 1
      if (isWrong) wrong[form] = (wrong[form] ?? 0) + 1
      const isShadowed = random.next() < shareNow(program.runs, shadowDefaults)
      program.runs += 1
      if (!isShadowed) continue
      counts.shadows += 1
      known.push(paper)
      if (late === 0) judge(program, checked)
      else pending.push({ at: n + late, of: program, checked })
      continue
    }
    if (run && 'declined' in run) {
      counts.declined += 1
      because[run.declined] = (because[run.declined] ?? 0) + 1
      const { novel } = run
      const isRight =
        novel && wrongFields(compareAnswers(paper.answer, novel.response), 'agent', novel.left).length === 0
      if (isRight) program?.accepted.push(...novel.unseen)
    }
    counts.byAgent += 1
    known.push(paper)
    sinceCompiled += 1
    // After this many new answers of the agent, compiling is worthwhile.
    if (sinceCompiled < knownMax) continue
    sinceCompiled = 0
    const made = await compile(known.slice(-knownMax))
    if (made) counts.compiled += 1
    else counts.refused += 1
    program = made ?? program
  }
  return { ...counts, because, wrong }
}

function documentsOf({ text }: Paper) {
  const { packed } = packDocument(textDocument(text))
  return [{ input: 'paper', packed, mediaType: 'text/plain', pageCount: 1 }]
}

async function compile(known: readonly Paper[]): Promise<InService | undefined> {
  const cases = known.map((paper) => ({ documents: documentsOf(paper), values: {}, answer: paper.answer }))
  const terms = { wallMs: 300_000, memoryMb: 1_024, signal }
  const { source, fields } = await parts.processPool.run(learnJob, { schema: formSchema, examples: cases }, terms)
  const trial = { source, schema: formSchema, cases, threshold: 0.9, learned: fields }
  const { guard, passed } = await prove(parts, trial, signal)
  return passed ? { source, guard, runs: 0, recent: [], accepted: [], answers: [], lost: [] } : undefined
}

/** The answer of a program, or why the whole document is left to the agent. */
async function serve({ source, guard, lost, accepted }: InService, paper: Paper) {
  const request = {
    workspaceId: '',
    skills: [],
    prompt: '',
    schema: formSchema,
    documents: documentsOf(paper),
    values: {},
  }
  const of = { request, program: { id: '', sha256: '' }, content: { source, guard }, lost, accepted }
  const served = await answerByContent(parts, of, signal)
  if (!served.answered) return { declined: served.because, novel: served.novel }
  const given = withoutGuesses(served, formSchema)
  return given.answered ? { whole: served, given } : { declined: given.because, novel: undefined }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}
