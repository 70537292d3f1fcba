import { readdir, readFile } from 'node:fs/promises'
import type { Json, JsonObject } from '@skillrun/core/json.ts'
import { chromium } from 'playwright-core'
import { findTimes } from '../../src/values/dates.ts'

/** The type of a field: a type of JSON Schema, `date`, choices, or the fields of a list's items. */
type Type = string | readonly string[] | { readonly [field: string]: Type }

/** A web page that is printed, and its answers: texts with `||` between them are all right. */
export interface PrintedPage {
  readonly name: string
  readonly html: string
  /** `first` to `eleventh`, or the name of a set that only trains: see `measure.ts`. */
  readonly set: string
  readonly fields: Readonly<Record<string, Type>>
  readonly descriptions?: Readonly<Record<string, string>>
  readonly truth: JsonObject
}

/** Sets of pages that only measure: no weights are trained on them. */
export const measuringSets: ReadonlySet<string> = new Set(['fourth', 'eighth', 'ninth', 'tenth', 'eleventh'])
/** Sets of pages with long lists, that the score of columns is trained on, and not that of single fields. */
export const listSets: ReadonlySet<string> = new Set(['lists'])
const trainingSets: ReadonlySet<string> = new Set([
  ...['first', 'second', 'third', 'fifth', 'sixth', 'seventh'],
  ...['office', 'official', 'germanic', 'romance', 'iberian', 'software', 'letters', 'prose'],
])

const folder = new URL('./', import.meta.url)

/** All pages of the folder, by name. */
export async function printedPages(): Promise<PrintedPage[]> {
  const answers = JSON.parse(await readFile(new URL('answers.json', folder), 'utf8')) as Record<string, PrintedPage>
  const files = (await readdir(folder)).filter((name) => name.endsWith('.html')).toSorted()
  return await Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.html'.length)
      const answer = answers[name]
      if (answer === undefined) throw new Error(`${file} has no answers`)
      if (![measuringSets, listSets, trainingSets].some((sets) => sets.has(answer.set)))
        throw new Error(`${file} is of the set ${answer.set}, which does not exist`)
      return { ...answer, name, html: await readFile(new URL(file, folder), 'utf8') }
    }),
  )
}

export const browserPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export interface Printer {
  /** The page as a PDF. */
  print(page: Pick<PrintedPage, 'html' | 'set'>): Promise<Buffer>
  close(): Promise<void>
}

/** Sets whose pages have the size that they ask for: wide tables. The others are printed as letters. */
const setsOfOwnSize: ReadonlySet<string> = new Set(['lists', 'tenth'])

export async function openPrinter(): Promise<Printer> {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  return {
    async print({ html, set }) {
      const page = await browser.newPage()
      await page.setContent(html)
      const pdf = await page.pdf({ preferCSSPageSize: setsOfOwnSize.has(set) })
      await page.close()
      return pdf
    },
    close: () => browser.close(),
  }
}

export function schemaOf({ fields, descriptions = {} }: Pick<PrintedPage, 'fields' | 'descriptions'>): JsonObject {
  const properties = Object.entries(fields).map(([name, type]): [string, Json] => {
    const description = descriptions[name]
    return [name, description === undefined ? schemaOfType(type) : { ...schemaOfType(type), description }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function schemaOfType(type: Type): JsonObject {
  if (typeof type === 'string') return type === 'date' ? { type: 'string', format: 'date' } : { type }
  if (isChoices(type)) return { enum: [...type] }
  return { type: 'array', items: schemaOf({ fields: type }) }
}

const isChoices = (type: Type): type is readonly string[] => Array.isArray(type)

/** Texts are compared without case, spaces, marks and forms of address; `||` parts texts of which each is right. */
export function isSame(got: Json, wanted: Json): boolean {
  if (got === null || wanted === null) return got === wanted
  if (typeof wanted === 'number') return Math.abs(Number(got) - wanted) < 1e-6
  if (typeof wanted === 'boolean') return got === wanted
  return String(wanted)
    .split('||')
    .some((one) => plain(one) === plain(String(got)) || (timeOf(one) !== null && timeOf(one) === timeOf(String(got))))
}

/** The time of day that a text is: `3.40 a.m.` and `03:40` are the same. */
const timeOf = (text: string): string | null => {
  const [time, ...more] = findTimes(text.trim())
  return time?.fit !== 1 || more.length > 0 || time.end - time.start < text.trim().length ? null : time.value
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:mrs?|ms|frau|herrn?|mme|dr|prof\.?ssa|pharm)\.? /u, '')
    .replace(/[\s.'’,-]/gu, '')
}
