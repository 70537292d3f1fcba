// Programs that the embedded engine writes, on ten kinds of made forms: `node bench/program-kinds.ts [--known 20] [--others 60]
// [--rounds 5]`. Prints what was served per kind, the share of right values in each round, and the wrong values.
import { packDocument } from '../packages/reader/src/media/packed-document.ts'
import { textDocument } from '../packages/reader/src/media/testing/text-document.ts'
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { sameValue } from '../packages/server/src/agent/same-value.ts'
import { optionsOf } from './options.ts'
import { type FormKind, formKinds } from './programs/kinds.ts'
import { openProgramParts } from './programs/program-parts.ts'
import { servedSet } from './programs/served.ts'

const values = optionsOf({ known: 20, others: 60, rounds: 5 })

await using parts = await openProgramParts()

function caseOf(kind: FormKind, seed: string) {
  const { text, answer } = kind.make(createRandom(`${kind.name} ${seed}`))
  const { packed } = packDocument(textDocument(text))
  return { documents: [{ input: 'form', packed, mediaType: 'text/plain', pageCount: 1 }], values: {}, answer }
}

for (const kind of formKinds) {
  const counts = { documents: 0, whole: 0, partly: 0, values: 0, right: 0, wrong: 0 }
  const wrong: string[] = []
  const weak: string[] = []
  const rounds: number[] = []
  for (let round = 0; round < values.rounds; round += 1) {
    const some = (part: string, count: number) =>
      Array.from({ length: count }, (_, n) => caseOf(kind, `${part} ${round} ${n}`))
    const [known, others] = [some('known', values.known), some('other', values.others)]
    const before = { ...counts }
    const served = await servedSet(parts, { schema: kind.schema, known, others })
    weak.push(...(served.passed ? (served.report.left ?? []) : ['(rejected)']))
    for (const [n, { response, because }] of served.answers.entries()) {
      const given = served.passed ? response : null
      counts.documents += 1
      if (given) counts[because ? 'partly' : 'whole'] += 1
      for (const [field, truth] of Object.entries(others[n]?.answer ?? {})) {
        counts.values += 1
        const value = given?.[field] ?? null
        if (value === null) continue
        const isRight = sameValue(truth, value)
        counts[isRight ? 'right' : 'wrong'] += 1
        if (!isRight) wrong.push(`${field}: ${JSON.stringify(value)} for ${JSON.stringify(truth)}`)
      }
    }
    rounds.push((counts.right - before.right) / (counts.values - before.values))
  }
  process.stdout.write(`${kind.name}: ${JSON.stringify({ ...counts, rounds, weak, wrong: wrong.slice(0, 5) })}\n`)
}
