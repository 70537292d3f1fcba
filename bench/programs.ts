// Programs that the embedded engine writes, on real receipts: `node bench/programs.ts --receipts FOLDER [--known 20]
// [--rounds 5]`. Round 0 learns from the first receipts by name, the others from receipts selected by their number.
// Prints a table.
import { writeFile } from 'node:fs/promises'
import { optionsOf } from './options.ts'
import { openProgramParts } from './programs/program-parts.ts'
import { type Counts, loadReceipts, receiptRound } from './programs/receipts.ts'

const values = optionsOf({ receipts: '', known: 20, rounds: 5, source: '' })
if (!values.receipts) {
  process.stderr.write('--receipts FOLDER is needed: a folder with img, key and box\n')
  process.exit(2)
}

await using parts = await openProgramParts()
const receipts = await loadReceipts(values.receipts)
for (let seed = 0; seed < values.rounds; seed += 1) {
  const round = await receiptRound(parts, receipts, { count: values.known, seed })
  const { date, total } = round.served
  const ms = round.msPerDocument.toSorted((a, b) => a - b)
  const at = (share: number): string => (ms[Math.floor((ms.length - 1) * share)] ?? 0).toFixed(1)
  process.stdout.write(
    [
      `round ${seed}: gate ${round.ready ? 'passed' : `failed (${round.checks.find(({ passed }) => !passed)?.message})`}`,
      `  program             date ${format(date)}   total ${format(total)}   p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, 0 model calls`,
      `  regular expression  date ${format(round.regularExpression.date)}   total ${format(round.regularExpression.total)}   total, lines joined into rows ${format(round.regularExpression['total in rows'])}`,
      `  served: ${round.documents.whole} whole and ${round.documents.partly} partly; left to an agent in every run: ${round.left.join(', ') || 'nothing'}`,
      `  left to an agent: ${JSON.stringify(round.declined)}`,
      `  wrong: ${JSON.stringify(round.wrong)}`,
      '',
    ].join('\n'),
  )
  if (seed === 0 && values.source) await writeFile(values.source, round.source)
}

function format({ right, wrong, none }: Counts): string {
  const all = right + wrong + none
  return `${right}/${all} right, ${wrong} wrong, ${none} left`
}
