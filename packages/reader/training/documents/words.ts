import { readFileSync } from 'node:fs'
import { assert } from '@skillrun/core/assert.ts'
import type { CurrencyPlace, NumberForm } from './money.ts'
import type { Random } from './random.ts'

/** Documents of `train` tune the reader. Those of `kept-out` have their own layouts, wordings, fonts and places, and only measure it. */
export const splits = ['train', 'kept-out'] as const
export type Split = (typeof splits)[number]

/** A product or service: name, lowest and highest price in whole currency units, and the unit of its quantity. */
export type Product = readonly [name: string, low: number, high: number, unit: string | null]

type Lists = Readonly<Record<string, readonly string[]>>

/** A language as written in one country: numbers, dates, addresses, taxes, names and the wordings of labels. */
export interface Locale {
  readonly id: string
  readonly country: string
  readonly numberForms: readonly NumberForm[]
  /** Formats for `writeDay`. */
  readonly dateForms: readonly string[]
  readonly currency: { readonly code: string; readonly symbol: string; readonly places: readonly CurrencyPlace[] }
  readonly taxRates: readonly number[]
  /** The country code and the format of the national account number; null where IBANs are not used. */
  readonly iban: { readonly code: string; readonly bban: string } | null
  readonly houseNumbers: readonly [min: number, max: number]
  /** Cash totals are rounded to this many cents. */
  readonly cashStepCents: number | null
  /** Lines between street and city; may be empty. */
  readonly extraLines: readonly string[]
  readonly goods: readonly Product[]
  readonly services: readonly Product[]
  readonly groceries: readonly Product[]
  readonly terms: readonly (readonly [text: string, days: number])[]
  /** Wordings of each label, the plainest first. */
  readonly labels: Lists
  /** Wordings that only kept-out documents print; empty in `train`. */
  readonly ownLabels: Lists
  /** Words that documents print and no schema asks for. */
  readonly printed: Lists
  /** Names, patterns for `Random.fill`, and sentences. */
  list(key: string): readonly string[]
  pick(random: Random, key: string): string
}

type Section = Readonly<Record<string, string>>

/** Parses `[section]` headings above `key: a|b|c` lines. Indented lines continue the line above. */
function readSections(path: string): Record<string, Section> {
  const text = readFileSync(new URL(`./words/${path}.txt`, import.meta.url), 'utf8').replace(/\n {2}/g, '\n\u0000')
  const unfolded = text.replace(/\|\n\0/g, '|').replace(/\n\0/g, ' ')
  const sections: Record<string, Record<string, string>> = {}
  let section: Record<string, string> = {}
  for (const line of unfolded.split('\n').filter((line) => line !== '')) {
    if (line.startsWith('[')) {
      section = {}
      sections[line.slice(1, -1)] = section
    } else section[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 2).replaceAll('\\n', '\n')
  }
  return sections
}

const listsOf = (section: Section | undefined): Lists =>
  Object.fromEntries(Object.entries(section ?? {}).map(([key, text]) => [key, text.split('|')]))

/** Concatenates the entries of both for each key. */
function join(a: Lists, b: Lists): Lists {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...keys].map((key) => [key, [...(a[key] ?? []), ...(b[key] ?? [])]]))
}

interface Language {
  readonly labels: Lists
  readonly ownLabels: Lists
  readonly lists: Lists
  readonly printed: Lists
}

/** Lists of which a kept-out document prints only its own entries. */
const REPLACED = [
  'movementsIn',
  'movementsOut',
  'itemNotes',
  'notes',
  'thanks',
  'shippingTerms',
  'firms',
  'shops',
  'banks',
]

function readLanguage(code: string, split: Split): Language {
  const { labels, lists, printed } = readSections(code)
  const { common: words, [split]: ownWords } = readSections('names')
  const named = join(listsOf(lists), join(listsOf(words), listsOf(ownWords)))
  const common = { labels: listsOf(labels), ownLabels: {}, lists: named, printed: listsOf(printed) }
  if (split === 'train') return common
  const own = readSections(`kept-out/${code}`)
  const kept = Object.fromEntries(Object.entries(common.lists).filter(([key]) => !REPLACED.includes(key)))
  return {
    ...common,
    ownLabels: listsOf(own['labels']),
    lists: join(kept, listsOf(own['lists'])),
    printed: { ...common.printed, ...listsOf(own['printed']) },
  }
}

const productOf = (entry: string): Product => {
  const [name = '', low, high, unit] = entry.split(';')
  return [name, Number(low), Number(high), unit ?? null]
}

/** The number form of a sample such as `1,234.5`, in which `_` is a non-breaking space. */
const numberFormOf = (sample: string): NumberForm => ({
  group: sample.slice(1, -5).replace('_', '\u00a0'),
  decimal: sample.at(-2) ?? '.',
})

function makeLocale(id: string, section: Section, { labels, ownLabels, lists, printed }: Language): Locale {
  const places = listsOf(section)
  const isOwn = (key: string) => Object.keys(ownLabels).length > 0 && REPLACED.includes(key)
  const own = Object.entries(places).filter(([key, [first]]) => key.startsWith('label ') && first !== 'common')
  const list = (key: string) => {
    const found = [...(isOwn(key) ? [] : (places[key] ?? [])), ...(lists[key] ?? [])]
    assert(found.length > 0, `${id} has no ${key}`)
    return found
  }
  const [code = '', symbol = ''] = list('currency')
  const [low = 1, high = 99] = list('houseNumbers').map(Number)
  const [ibanCode = '', bban] = places['iban'] ?? []
  return {
    id,
    country: list('country')[0] ?? '',
    numberForms: list('numbers').map(numberFormOf),
    dateForms: list('dates'),
    currency: { code, symbol, places: list('places') as CurrencyPlace[] },
    taxRates: list('taxRates').map(Number),
    iban: bban === undefined ? null : { code: ibanCode, bban },
    houseNumbers: [low, high],
    cashStepCents: Number(places['cashStep']?.[0]) || null,
    extraLines: places['extraLines'] ?? [],
    goods: list('goods').map(productOf),
    services: list('services').map(productOf),
    groceries: list('groceries').map(productOf),
    terms: list('terms').map((entry) => [entry.split(';')[0] ?? '', Number(entry.split(';')[1])]),
    labels: { ...labels, ...Object.fromEntries(own.map(([key, wordings]) => [key.slice(6), wordings])) },
    ownLabels,
    printed,
    list,
    pick: (random, key) => random.pick(list(key)),
  }
}

interface Weighed {
  readonly weight: number
  readonly locale: Locale
  /** The locale of a second language, for bilingual labels. */
  readonly second: string | undefined
}

function readLocales(split: Split): Weighed[] {
  const common = readSections('locales')
  const sections = split === 'train' ? common : { ...common, ...readSections('kept-out/locales') }
  const whole = (id: string): Section => {
    const { like, weight, second, ...own } = sections[id] ?? {}
    return like === undefined ? own : { ...whole(like), ...own }
  }
  const languages = new Map<string, Language>()
  return Object.entries(sections).map(([id, { weight, second }]) => {
    const code = id.slice(0, 2)
    const language = languages.get(code) ?? readLanguage(code, split)
    languages.set(code, language)
    return { weight: Number(weight), locale: makeLocale(id, whole(id), language), second }
  })
}

const weighed: Readonly<Record<Split, Weighed[]>> = { train: readLocales('train'), 'kept-out': readLocales('kept-out') }

export const localesOf = (split: Split): Locale[] => weighed[split].map(({ locale }) => locale)

/** A locale, and occasionally a second one for bilingual labels. */
export function pickLocales(random: Random, split: Split): { locale: Locale; second: Locale | null } {
  const { locale, second } = random.weighted(...weighed[split].map((entry) => [entry.weight, entry] as const))
  const isBilingual = second !== undefined && random.fork('second').chance(0.15)
  return { locale, second: (isBilingual && localesOf(split).find(({ id }) => id === second)) || null }
}
