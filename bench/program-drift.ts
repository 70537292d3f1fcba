// A stream of documents of one sender whose layout changes: the wrong answers that a program serves before it is
// demoted, and whether a correct program is demoted. `node bench/program-drift.ts [--streams 10] [--papers 300]
// [--changes 50,120,200] [--quiet] [--json FILE]`. The agent counts as right.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/core/src/clock.ts'
import { packDocument } from '../packages/reader/src/media/reading.ts'
import { gridPage } from '../packages/reader/src/media/text/grid.ts'
import { wordsOfText } from '../packages/reader/src/media/text/plain.ts'
import { createRandom } from '../packages/reader/training/documents/random.ts'
import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { findBubblewrap } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import {
  createQuickjsSandbox,
  quickjsSandboxDefaults,
} from '../packages/server/src/adapters/sandbox/quickjs/quickjs-sandbox.ts'
import { compareAnswers } from '../packages/server/src/agent/compare-answers.ts'
import { learnJob } from '../packages/server/src/agent/programs/learn.ts'
import { citedEvidence } from '../packages/server/src/features/programs/evidence.ts'
import { doubtOf, type Guard, wordsOfLines } from '../packages/server/src/features/programs/guard.ts'
import { prove } from '../packages/server/src/features/programs/prove.ts'
import { runSource } from '../packages/server/src/features/programs/run-source.ts'
import {
  mustGo,
  type Recent,
  shadowDefaults,
  shareNow,
  withOutcome,
  wrongFields,
} from '../packages/server/src/features/programs/shadow.ts'
import { formSchema, forms, type Paper, quietForm } from './programs/forms.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '10' },
    papers: { type: 'string', default: '300' },
    changes: { type: 'string', default: '50,120,200' },
    quiet: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const papers = Number(values.papers)
/** With `--quiet` the third layout has no new word, so the guard cannot detect it but shadow runs must. */
const used = values.quiet ? forms.with(2, quietForm) : forms
const changes = values.changes.split(',').map(Number)
/** The number of latest cases that a program is written from. */
const knownMax = 12

const bubblewrap = await findBubblewrap({ environment: process.env, hidden: [] })
const sandbox = createQuickjsSandbox({
  ...quickjsSandboxDefaults,
  clock: systemClock,
  bubblewrap: 'found' in bubblewrap ? bubblewrap.found : undefined,
})
const processPool = createChildProcessPool({
  ...childProcessPoolDefaults,
  childrenMax: 2,
  inputFolder: tmpdir(),
  bubblewrap: 'found' in bubblewrap ? bubblewrap.found : undefined,
})
const parts = { sandbox, processPool, clock: systemClock }
const signal = new AbortController().signal

interface InService {
  readonly source: string
  readonly guard: Guard
  runs: number
  recent: Recent
}

/** The result of one stream; `wrong` by the layout in use, before its program was demoted. */
interface Stream {
  readonly served: number
  readonly declined: number
  readonly byAgent: number
  readonly shadows: number
  readonly compiled: number
  readonly refused: number
  readonly wrong: readonly number[]
  readonly demotions: number
  /** Demoted although none of its recently compared answers was wrong. */
  readonly falseDemotions: number
}

try {
  const streams: Stream[] = []
  for (let seed = 0; seed < Number(values.streams); seed += 1) {
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
    declined: sum((one) => one.declined),
    by_agent: sum((one) => one.byAgent),
    shadows: sum((one) => one.shadows),
    wrong_served_by_form: forms.map((_, form) => sum((one) => one.wrong[form] ?? 0)),
    wrong_served_most_in_one_change: Math.max(...streams.flatMap(({ wrong }) => wrong)),
    demotions: sum((one) => one.demotions),
    false_demotions: sum((one) => one.falseDemotions),
  }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
} finally {
  await processPool.close()
  await sandbox.close()
}

async function runStream(seed: number): Promise<Stream> {
  const random = createRandom(`drift ${seed}`)
  const known: Paper[] = []
  const wrong = forms.map(() => 0)
  const counts = {
    served: 0,
    declined: 0,
    byAgent: 0,
    shadows: 0,
    compiled: 0,
    refused: 0,
    demotions: 0,
    falseDemotions: 0,
  }
  let program: InService | undefined
  let sinceCompiled = 0
  for (let n = 0; n < papers; n += 1) {
    const form = changes.filter((at) => n >= at).length
    const paper = (used[form] as (typeof forms)[number])(random)
    const answer = program && (await serve(program, paper))
    if (program && answer !== undefined) {
      counts.served += 1
      const fields = wrongFields(compareAnswers(paper.answer, answer), 'agent')
      if (fields.length > 0) wrong[form] = (wrong[form] ?? 0) + 1
      const isShadowed = random.next() < shareNow(program, shadowDefaults)
      program.runs += 1
      if (!isShadowed) continue
      counts.shadows += 1
      program.recent = withOutcome(program.recent, fields.length > 0)
      known.push(paper)
      if (mustGo(program.recent, shadowDefaults)) {
        counts.demotions += 1
        if (!program.recent.includes(true)) counts.falseDemotions += 1
        program = undefined
        sinceCompiled = 0
      }
      continue
    }
    if (program) counts.declined += 1
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
  return { ...counts, wrong }
}

function documentsOf({ text }: Paper) {
  const page = gridPage(wordsOfText(text))
  const { packed } = packDocument({ mediaType: 'text/plain', pageCount: 1, pages: [page] })
  return [{ input: 'paper', packed, mediaType: 'text/plain', pageCount: 1 }]
}

async function compile(known: readonly Paper[]): Promise<InService | undefined> {
  const cases = known.map((paper) => ({ documents: documentsOf(paper), values: {}, answer: paper.answer }))
  const terms = { wallMs: 300_000, memoryMb: 1_024, signal }
  const { source, fields } = await processPool.run(learnJob, { schema: formSchema, examples: cases }, terms)
  const trial = { source, schema: formSchema, cases, threshold: 0.9, learned: fields }
  const { guard, passed } = await prove(parts, trial, signal)
  return passed ? { source, guard, runs: 0, recent: [] } : undefined
}

async function serve({ source, guard }: InService, paper: Paper) {
  const result = await runSource(parts, { source, documents: documentsOf(paper), values: {} }, signal)
  if (result.declined !== null) return undefined
  const evidence = citedEvidence(result.value, result.cites, result.lines ?? [])
  return doubtOf(guard, { words: wordsOfLines(result.lines ?? []), answer: result.value, evidence })
    ? undefined
    : result.value
}
