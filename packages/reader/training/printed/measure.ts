import { readdir, readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { chromium } from 'playwright-core'
import { read } from '../../src/reader.ts'

/**
 * What the reader makes of printed web pages of many kinds, each with a schema and its answers.
 *
 *     node packages/reader/training/printed/measure.ts [--rate 0.02] [--show]
 *
 * `first`: twelve documents whose errors were studied before the changes that READER.md names with them. `second`: twenty documents of
 * other kinds by an author who did not know the reader; measured before their errors were looked at, and after. Of a list, each cell of
 * each row counts; those of rows that the document does not have are wrong. `n` is the number of values of the truth and of surplus rows,
 * `sure` the number of values that are given with a confidence of at least 0.7.
 */
const { values: options } = parseArgs({
  options: { rate: { type: 'string' }, show: { type: 'boolean', default: false } },
})

/** The type of a field: a type of JSON Schema, `date`, choices, or the fields of a list's items. */
type Type = string | readonly string[] | { readonly [field: string]: Type }

interface Printed {
  readonly set: 'first' | 'second'
  readonly fields: Record<string, Type>
  readonly truth: JsonObject
}

const counts = () => ({ n: 0, right: 0, wrong: 0, missing: 0, sure: 0, sureWrong: 0 })
const folder = new URL('./', import.meta.url)
const answers = JSON.parse(await readFile(new URL('answers.json', folder), 'utf8')) as Record<string, Printed>
const totals = { first: counts(), second: counts() }
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
try {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.html')).toSorted()) {
    const printed = answers[file.slice(0, -'.html'.length)]
    if (printed === undefined) throw new Error(`${file} has no answers`)
    const page = await browser.newPage()
    await page.setContent(await readFile(new URL(file, folder), 'utf8'))
    const pdf = await page.pdf()
    await page.close()
    await measure(file, pdf, printed)
  }
} finally {
  await browser.close()
}
console.table(totals)

async function measure(file: string, pdf: Uint8Array, { set, fields, truth }: Printed): Promise<void> {
  const rate = options.rate === undefined ? {} : { maxWrongRate: Number(options.rate) }
  const { response, evidence } = await read(pdf, { schema: schemaOf(fields), ...rate })
  const total = totals[set]
  const judge = (pointer: string, got: Json, wanted: Json): void => {
    const isSure = got !== null && (evidence[pointer]?.confidence ?? 0) >= 0.7
    total.n += 1
    total.sure += isSure ? 1 : 0
    if (isSame(got, wanted)) total.right += 1
    else if (got === null) total.missing += 1
    else {
      total.wrong += 1
      total.sureWrong += isSure ? 1 : 0
    }
    if (options.show && !isSame(got, wanted))
      console.log(file, pointer, JSON.stringify(got), 'wanted', JSON.stringify(wanted))
  }
  const given = isJsonObject(response) ? response : {}
  for (const [name, wanted] of Object.entries(truth)) {
    const got = given[name] ?? null
    if (!Array.isArray(wanted)) {
      judge(`/${name}`, got, wanted)
      continue
    }
    const rows = Array.isArray(got) ? got : []
    for (let at = 0; at < Math.max(rows.length, wanted.length); at += 1) {
      const [row, its] = [rows[at] ?? null, wanted[at] ?? null]
      for (const field of Object.keys((fields[name] ?? {}) as JsonObject)) {
        const value = isJsonObject(row) ? (row[field] ?? null) : null
        const answer = isJsonObject(its) ? (its[field] ?? null) : null
        if (value !== null || answer !== null) judge(`/${name}/${at}/${field}`, value, answer)
      }
    }
  }
}

function schemaOf(type: Type): JsonObject {
  if (typeof type === 'string') return type === 'date' ? { type: 'string', format: 'date' } : { type }
  if (Array.isArray(type)) return { enum: [...type] }
  const properties = Object.entries(type).map(([name, inner]): [string, Json] => {
    const isList = typeof inner === 'object' && !Array.isArray(inner)
    return [name, isList ? { type: 'array', items: schemaOf(inner) } : schemaOf(inner)]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Texts are compared without case, spaces, marks and forms of address; `||` parts texts of which each is right. */
function isSame(got: Json, wanted: Json): boolean {
  if (got === null || wanted === null) return got === wanted
  if (typeof wanted === 'number') return Math.abs(Number(got) - wanted) < 1e-6
  if (typeof wanted === 'boolean') return got === wanted
  return String(wanted)
    .split('||')
    .some((one) => plain(one) === plain(String(got)))
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:mrs?|ms|frau|herrn?|mme|dr|prof\.?ssa|pharm)\.? /u, '')
    .replace(/[\s.'’,-]/gu, '')
}
