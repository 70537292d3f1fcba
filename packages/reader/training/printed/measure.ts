import { parseArgs } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { read } from '../../src/reader.ts'
import { isSame, openPrinter, type PrintedPage, printedPages, schemaOf } from './pages.ts'

/**
 * What the reader makes of printed web pages of many kinds, each with a schema and its answers.
 *
 *     node packages/reader/training/printed/measure.ts [--rate 0.02] [--show] [--sets fourth,eighth] [--swap]
 *
 * With `--swap` each page is asked for the single fields of another, most of which it does not have. What is given then is mostly wrong, except
 * for a date or a total that both have.
 *
 * `first`: twelve documents whose errors were studied before the changes that READER.md names with them. `second`: twenty of other kinds
 * by an author who did not know the reader; measured before their errors were looked at, and after. `third`: more by such an author,
 * whose errors were studied too. `fourth`: thirty-two by another one, `fifth`: eight more,
 * `sixth`: twenty-four by a third author, `seventh`: twenty by a fourth, and `eighth`: twenty-four by a fifth. `office`, `official`,
 * `germanic`, `romance`, `iberian`, `software` and `letters` were written to train; `ninth` to be measured once after that. What was looked
 * at of these, and when: see READER.md. Of a list, each cell of each row counts; those of rows that
 * the document does not have are wrong. `n` is the number of values of the truth and of surplus rows, `sure` the number of values that
 * are given with a confidence of at least 0.7, `held` of those that are held to the rate: not in lists, no choices.
 */
const { values: options } = parseArgs({
  options: {
    ...{ rate: { type: 'string' }, sets: { type: 'string' } },
    ...{ show: { type: 'boolean', default: false }, swap: { type: 'boolean', default: false } },
  },
})

const counts = () => ({ n: 0, given: 0, right: 0, wrong: 0, missing: 0, sure: 0, sureWrong: 0, held: 0, heldWrong: 0 })
const totals: Record<string, ReturnType<typeof counts>> = {}
const swapped = { asked: 0, given: 0, unmarked: 0 }
const pages = (await printedPages()).filter(({ set }) => options.sets?.split(',').includes(set) ?? true)
const printer = await openPrinter()
try {
  for (const [at, page] of pages.entries()) {
    const pdf = await printer.print(page)
    // Pages that stand together are often of one author.
    if (options.swap) await askFor(pages[(at + 17) % pages.length] ?? page, pdf, page.name)
    else await measure(pdf, page)
  }
} finally {
  await printer.close()
}
console.table(options.swap ? swapped : totals)

async function askFor(other: PrintedPage, pdf: Uint8Array, file: string): Promise<void> {
  const single = Object.entries(other.fields).filter(([, type]) => typeof type === 'string' && type !== 'boolean')
  const { response, evidence } = await read(pdf, { schema: schemaOf({ ...other, fields: Object.fromEntries(single) }) })
  for (const [name] of single) {
    const value = isJsonObject(response) ? (response[name] ?? null) : null
    swapped.asked += 1
    if (value === null) continue
    swapped.given += 1
    swapped.unmarked += evidence[`/${name}`]?.note === undefined ? 1 : 0
    if (options.show) console.log(file, name, JSON.stringify(value), evidence[`/${name}`]?.confidence)
  }
}

async function measure(pdf: Uint8Array, { name: file, set, truth, ...asked }: PrintedPage): Promise<void> {
  const rate = options.rate === undefined ? {} : { maxWrongRate: Number(options.rate) }
  const { response, evidence } = await read(pdf, { schema: schemaOf(asked), ...rate })
  const total = totals[set] ?? counts()
  totals[set] = total
  const judge = (pointer: string, got: Json, wanted: Json, isHeld = false): void => {
    const isSure = got !== null && (evidence[pointer]?.confidence ?? 0) >= 0.7
    total.n += 1
    total.given += got === null ? 0 : 1
    total.sure += isSure ? 1 : 0
    total.held += isHeld && got !== null ? 1 : 0
    if (isSame(got, wanted)) total.right += 1
    else if (got === null) total.missing += 1
    else {
      total.wrong += 1
      total.sureWrong += isSure ? 1 : 0
      total.heldWrong += isHeld ? 1 : 0
    }
    if (options.show && !isSame(got, wanted))
      console.log(file, pointer, JSON.stringify(got), 'wanted', JSON.stringify(wanted))
  }
  const given = isJsonObject(response) ? response : {}
  for (const [name, wanted] of Object.entries(truth)) {
    const got = given[name] ?? null
    if (!Array.isArray(wanted)) {
      judge(`/${name}`, got, wanted, typeof asked.fields[name] === 'string' && asked.fields[name] !== 'boolean')
      continue
    }
    const rows = Array.isArray(got) ? got : []
    for (let at = 0; at < Math.max(rows.length, wanted.length); at += 1) {
      const [row, its] = [rows[at] ?? null, wanted[at] ?? null]
      for (const field of Object.keys((asked.fields[name] ?? {}) as JsonObject)) {
        const value = isJsonObject(row) ? (row[field] ?? null) : null
        const answer = isJsonObject(its) ? (its[field] ?? null) : null
        if (value !== null || answer !== null) judge(`/${name}/${at}/${field}`, value, answer)
      }
    }
  }
}
