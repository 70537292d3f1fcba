// What reading documents costs beside the least programs that could read them: `pdftotext` for PDFs with text and, where the host has it,
// `tesseract` for a photograph. CPU time (user and system, children included), in rounds that alternate between all of them.
//
//     node bench/reader-floor.ts [--checkout ../before --checkout .] [--rounds 5] [--only invoice,prose,rows,photo]
//
// Each round reads other bytes: a comment at the end of the file changes. Prints medians, and how often they are the floor.

import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { JsonSchema } from '../packages/core/src/json.ts'
import { madeInvoice, madePdf } from '../packages/reader/src/media/testing/made.ts'
import { randomOf, statementOf } from '../packages/reader/training/tables/made-statement.ts'
import { photographOf } from '../test/support/photograph.ts'
import { median } from './measure.ts'

interface Reader {
  readonly root: string
  readonly path: string
  readonly schema: JsonSchema
}

interface Took {
  readonly readMs: number
  readonly answerMs: number
}

const wholeMs = ({ readMs, answerMs }: Took): number => readMs + answerMs

/** A process that reads with the code of one checkout. */
async function serve(): Promise<void> {
  const send = (message: object) => process.send?.(message)
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  // As where a request asks for none; the checkout may be an older one.
  const risk = { maxWrongRate: 0.02, unsure: 'mark' }
  process.on('message', async ({ root, path, schema }: Reader) => {
    const from = join(root, 'packages/reader/src')
    const [{ readDocument }, { extract }] = await Promise.all(
      ['media/read-document.ts', 'extract/extract.ts'].map((file) => import(join(from, file))),
    )
    const bytes = new Uint8Array(await readFile(path))
    const begunMs = cpuMs()
    const document = await readDocument({ bytes })
    const readAtMs = cpuMs()
    extract({ documents: [{ input: 'document', document }], values: {}, schema, risk })
    const took: Took = { readMs: readAtMs - begunMs, answerMs: cpuMs() - readAtMs }
    send(took)
  })
}

/** A PDF with the prose of this repository. */
async function proseOf(pages: number, wordsOnPage: number): Promise<Buffer> {
  const folder = fileURLToPath(new URL('../docs', import.meta.url))
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).toSorted()
  const texts = names.map((name) => readFile(join(folder, name), 'utf8'))
  const prose = (await Promise.all(texts)).join('\n').replaceAll(/```[\s\S]*?```|^[|#].*$|[*`[\]]|\(\S+\)/gm, '')
  const words = prose.split(/\s+/)
  return madePdf((pdf) => {
    pdf.font('Helvetica').fontSize(9)
    for (let page = 0; page < pages; page++) {
      if (page > 0) pdf.addPage()
      pdf.text(words.slice(page * wordsOnPage, (page + 1) * wordsOnPage).join(' '))
    }
  })
}

const rowsOnPage = 64
const statement = (): Promise<Buffer> =>
  madePdf((pdf) => {
    pdf.font('Courier').fontSize(7)
    const lines = statementOf(11, 3_000).text.split('\n')
    for (const [at, line] of lines.entries()) {
      if (at > 0 && at % rowsOnPage === 0) pdf.addPage()
      if (line) pdf.text(line, 40, 40 + (at % rowsOnPage) * 12, { lineBreak: false })
    }
  })

const textOrNone = { type: ['string', 'null'] }
const dateOrNone = { ...textOrNone, format: 'date' }
const amountOrNone = { type: ['number', 'null'] }
const objectOf = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties })

async function documentsOf(): Promise<Record<string, { name: string; bytes: Buffer; schema: JsonSchema }>> {
  const sample = (name: string): Promise<Buffer> => readFile(new URL(`../samples/${name}`, import.meta.url))
  const ofAgreement = objectOf({
    document_name: textOrNone,
    agreement_date: dateOrNone,
    effective_date: dateOrNone,
    expiration_date: dateOrNone,
    governing_law: textOrNone,
  })
  const row = { date: dateOrNone, description: textOrNone, amount: amountOrNone, balance: amountOrNone }
  const ofStatement = objectOf({ transactions: { type: 'array', items: objectOf(row) } })
  const ofInvoice = objectOf({ invoice_number: textOrNone, due_date: dateOrNone, total: amountOrNone })
  return {
    invoice: {
      name: 'invoice.pdf',
      bytes: await sample('invoice.pdf'),
      schema: JSON.parse(String(await sample('invoice.schema.json'))),
    },
    prose: { name: 'prose.pdf', bytes: await proseOf(20, 850), schema: ofAgreement },
    rows: { name: 'rows.pdf', bytes: await statement(), schema: ofStatement },
    photo: {
      name: 'photo.png',
      bytes: await photographOf(await madeInvoice(), randomOf(1)),
      schema: ofInvoice,
    },
  }
}

/** CPU milliseconds of a program, the mean of some runs, as the shell counts those of its children; undefined where it is missing. */
function floorMs(path: string): number | undefined {
  const [run, runs] = path.endsWith('.pdf') ? ['pdftotext -layout "$0" -', 5] : ['tesseract "$0" -', 1]
  const script = `for at in $(seq ${runs}); do ${run} >/dev/null 2>&1 || exit 1; done; times`
  const { status, stdout } = spawnSync('bash', ['-c', script, path], { encoding: 'utf8' })
  const ofChildren = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const seconds = ofChildren.reduce((sum, [, minutes, part]) => sum + Number(minutes) * 60 + Number(part), 0)
  return status === 0 ? (seconds * 1_000) / runs : undefined
}

async function compare(): Promise<void> {
  const { values } = parseArgs({
    options: {
      checkout: { type: 'string', multiple: true, default: [fileURLToPath(new URL('..', import.meta.url))] },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
    },
  })
  const roots = values.checkout.map((root) => resolve(root))
  const documents = Object.entries(await documentsOf()).filter(
    ([kind]) => values.only?.split(',').includes(kind) ?? true,
  )
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-floor-'))
  const readers = roots.map((root) => ({ root, child: fork(fileURLToPath(import.meta.url), { stdio: 'inherit' }) }))
  try {
    for (const [kind, { name, bytes, schema }] of documents) {
      const path = join(folder, name)
      const took = new Map<string, Took[]>(roots.map((root) => [root, []]))
      const floors: number[] = []
      // The first rounds compile and warm up.
      const warming = kind === 'invoice' ? 12 : 2
      for (let round = -warming; round < Number(values.rounds); round++) {
        await writeFile(path, Buffer.concat([bytes, Buffer.from(`\n%${round}\n`)]))
        for (const { root, child } of round % 2 === 0 ? readers : readers.toReversed()) {
          child.send({ root, path, schema } satisfies Reader)
          const [one] = (await once(child, 'message')) as [Took]
          if (round >= 0) took.get(root)?.push(one)
        }
        const floor = round >= 0 ? floorMs(path) : undefined
        if (floor !== undefined) floors.push(floor)
      }
      const floor = floors.length > 0 ? median(floors) : undefined
      process.stdout.write(`${kind}: floor ${floor?.toFixed(0) ?? '–'} ms\n`)
      for (const [root, all] of took) {
        const ms = median(all.map(wholeMs))
        const parts = `reading ${median(all.map((one) => one.readMs)).toFixed(0)}, answering ${median(all.map((one) => one.answerMs)).toFixed(0)}`
        const times = floor === undefined ? '' : `, ${(ms / floor).toFixed(2)}× the floor`
        process.stdout.write(`  ${root}: ${ms.toFixed(0)} ms (${parts})${times}\n`)
      }
    }
    process.stdout.write(
      `load average ${loadavg()[0]?.toFixed(0)}, CPU milliseconds, medians of ${values.rounds} rounds\n`,
    )
  } finally {
    for (const { child } of readers) child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.send) await serve()
else await compare()
