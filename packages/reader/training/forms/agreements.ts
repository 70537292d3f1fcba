import { readFileSync } from 'node:fs'
import type { Json } from '@skillrun/core/json.ts'
import { randomDay } from '../documents/dates.ts'
import { createRandom } from '../documents/random.ts'
import type { Accepts } from '../documents/schemas.ts'
import { localesOf } from '../documents/words.ts'
import { asking, type MadeForm } from './made-forms.ts'
import { drawForm } from './pen.ts'
import { type Facts, languageOf, printedOf } from './values.ts'

/** The clauses of one language: lists of names and values, and wordings of each clause. */
type Clauses = Readonly<Record<string, readonly string[]>>

const languages = new Map(
  readFileSync(new URL('./clauses.txt', import.meta.url), 'utf8')
    .split(/^\[/m)
    .slice(1)
    .map((block): [string, Clauses] => {
      const [head = '', ...lines] = block.trim().split('\n')
      const clauses: Record<string, string[]> = {}
      let last = ''
      for (const line of lines) {
        const [, key, list] = /^(\w+): (.*)$/.exec(line) ?? []
        if (key !== undefined && list !== undefined) clauses[key] = list.split('|')
        else if (line.startsWith('- ')) clauses[last]?.push(line.slice(2).replaceAll('\\n', '\n'))
        else {
          last = line
          clauses[last] = []
        }
      }
      return [head.slice(0, -1), clauses]
    }),
)

/** What callers ask of an agreement: names and a description. */
const questions: Readonly<Record<string, readonly [names: string, description: string, kind: string]>> = {
  title: ['document_title|title|agreement_name|contractTitle', 'Title of the agreement', 'text'],
  party_a: ['first_party|party_1|party_a|partyOne', 'The party that is named first', 'text'],
  party_b: ['second_party|counterparty|party_2|other_party', 'The party that is named second', 'text'],
  agreement_date: ['agreement_date|signed_on|dated|contractDate', 'Date of the agreement', 'date'],
  effective_date: ['effective_date|starts_on|in_force_from|commencement', 'Date on which it takes effect', 'date'],
  expiration_date: ['expiration_date|end_date|ends_on|expiryDate', 'Date on which it ends', 'date'],
  term: ['term|duration|contract_term|validity_period', 'How long the agreement lasts', 'text'],
  notice_period: ['notice_period|termination_notice|noticePeriod', 'Notice that a party gives to end it', 'text'],
  governing_law: ['governing_law|applicable_law|jurisdiction|lawOfContract', 'Law that governs it', 'text'],
  fee: ['fee|contract_price|remuneration|feeAmount', 'What is paid for the services', 'number'],
}

/** The share of clauses that an agreement has, of those that callers ask for, and of those that are there for nobody. */
const clauseShare = 0.6
const askedShare = 0.65
const decoyShare = 0.7

/** An agreement in prose, made of clauses, with its schema and its answer. */
export async function makeAgreement(seed: number): Promise<MadeForm & { readonly accepts: Accepts }> {
  const random = createRandom(`agreement/${seed}`)
  const language = random.weighted([6, 'en'], ...[...languages.keys()].map((one) => [1, one] as const))
  const clauses = languages.get(language) ?? {}
  const locale = random.pick(localesOf('train').filter((one) => languageOf(one) === language))
  const long = locale.dateForms.filter((form) => form.includes('MMMM'))
  const dateForm = random.pick(random.chance(0.8) && long.length > 0 ? long : locale.dateForms)
  const facts: Facts = { random, locale, dateForm, from: randomDay(random) }
  const pick = (key: string): string => random.pick(clauses[key] ?? [''])
  const [roleA = '', roleB = ''] = pick('roles').split('/')
  const number = random.int(0, (clauses['numbers']?.length ?? 1) - 1)
  const figure = /\d+/.exec(clauses['numbers']?.[number] ?? '')?.[0] ?? '1'
  const unit = clauses['units']?.[figure === '1' ? 0 : 1] ?? ''
  const days = random.pick([10, 14, 30, 45, 60, 90])
  const dayWord = { en: 'days', de: 'Tagen', fr: 'jours', es: 'días', nl: 'dagen', it: 'giorni', pt: 'dias' }[language]
  const law = pick('laws')
  const title = pick('titles')
  const values: Record<string, readonly [printed: string, truth: Json, also?: readonly string[]]> = {
    title: [title, title],
    party_a: printedOf('firm', facts),
    party_b: printedOf(random.chance(0.8) ? 'firm' : 'person', facts),
    agreement_date: printedOf('day', facts),
    effective_date: printedOf('day', facts),
    expiration_date: printedOf('day', facts),
    fee: printedOf('money', facts),
    term: [`${clauses['numbers']?.[number]} ${unit}`, `${figure} ${unit}`, [`${clauses['numbers']?.[number]} ${unit}`]],
    notice_period: [`${days} ${dayWord}`, `${days} ${dayWord}`],
    governing_law: [law, law, [`State of ${law}`, `the State of ${law}`]],
  }
  const written = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, slot: string) => {
      const value = values[slot]
      if (value !== undefined) return value[0]
      if (slot === 'role_a') return roleA
      if (slot === 'role_b') return roleB
      if (slot === 'kind') return written(pick('kinds'))
      if (slot === 'other_law') return pick('laws')
      if (slot === 'other_days') return String(random.int(3, 60))
      if (slot === 'other_term') return `${pick('numbers')} ${clauses['units']?.[1]}`
      if (slot === 'other_date') return printedOf('day', facts)[0]
      if (slot === 'other_money') return printedOf('money', facts)[0]
      return printedOf(slot === 'city' ? 'place' : slot, facts)[0]
    })
  const optional = ['effective_date', 'term', 'expiration_date', 'notice_period', 'governing_law', 'fee']
  const present = optional.filter(() => random.chance(clauseShare))
  const decoys = (clauses['decoys'] ?? []).filter(() => random.chance(decoyShare))
  const body = random.sample([...present.map(pick), ...decoys, ...random.sample(decoys, 2)], 99).map(written)
  const numbered = random.chance(0.6) ? body.map((clause, at) => `${at + 1}. ${clause}`) : body
  const isTitled = random.chance(0.85)
  const heading = isTitled ? [random.chance(0.6) ? title.toUpperCase() : title] : []
  const paragraphs = [...heading, written(pick('opening')), ...numbered, pick('closing'), `${roleA}   ${roleB}`]
  const { schema, truth, ask } = asking()
  const accepts: Record<string, readonly string[]> = {}
  const isDescribed = random.chance(0.7)
  const isThere = (field: string): boolean =>
    optional.includes(field) ? present.includes(field) : field !== 'title' || isTitled
  // Where nothing says from when it holds, people disagree on whether that is the date of the agreement.
  const asked = Object.keys(questions).filter((field) => field !== 'effective_date' || present.includes(field))
  for (const field of asked) {
    const [names = '', description = '', kind = ''] = questions[field] ?? []
    const [, value = null, also] = values[field] ?? []
    if (!random.chance(askedShare)) continue
    const name = random.pick(names.split('|'))
    const type = kind === 'number' ? ['number', 'null'] : ['string', 'null']
    const format = kind === 'date' && { format: 'date' }
    ask(name, { type, ...format, ...(isDescribed && { description }) }, isThere(field) ? value : null, null)
    if (also !== undefined) accepts[name] = also
  }
  const pdf = await drawForm((pen) => pen.prose(paragraphs, { size: random.pick([9.5, 10, 11, 12]) }))
  return { pdf, schema, truth, accepts }
}
