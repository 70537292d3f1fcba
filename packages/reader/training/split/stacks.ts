import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import type { Page, ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { kinds, makeDocument } from '../documents/document.ts'
import { createRandom, type Random } from '../documents/random.ts'
import type { Split } from '../documents/words.ts'
import { type Annex, billSchemas, drawBill, makeShop } from './bills.ts'
import { drawPlain, makeHouse, plainKinds } from './plain-documents.ts'

/** A file that is asked with a schema of one document, and where the documents in it are. */
export interface Stack {
  readonly id: string
  readonly group: string
  readonly document: ReadDocument
  readonly schema: JsonSchema
  /** Positions of the first and last page of each document. */
  readonly pieces: readonly { readonly first: number; readonly last: number }[]
}

const text = { type: ['string', 'null'] }
const number = { type: ['number', 'null'] }
const date = { type: ['string', 'null'], format: 'date' }
const asking = (properties: JsonObject): JsonSchema => ({ type: 'object', properties })

const plainSchemas = {
  letter: asking({ reference: text, date, subject: text }),
  'delivery note': asking({
    delivery_note_number: text,
    date,
    items: { type: 'array', items: asking({ quantity: number }) },
  }),
  payslip: asking({ date, employee: text, net_pay: number }),
} as const

interface Drawn {
  readonly schema: JsonSchema
  readonly files: readonly Buffer[]
}

type Group = (random: Random, split: Split, count: number) => Promise<Drawn>

async function drawn(count: number, draw: () => Promise<Buffer>): Promise<Buffer[]> {
  const files: Buffer[] = []
  for (let n = 0; n < count; n += 1) files.push(await draw())
  return files
}

const bills =
  ({
    isOneShop,
    annexes,
    pages,
    isFixed,
  }: {
    isOneShop: boolean
    annexes: readonly Annex[]
    pages: readonly number[]
    isFixed?: boolean
  }): Group =>
  async (random, _split, count) => {
    const first = makeShop(random)
    const amount = isFixed === true ? random.int(1000, 90_000) / 100 : undefined
    return {
      schema: random.pick(isFixed === true ? billSchemas.filter((_, n) => n !== 2) : billSchemas),
      files: await drawn(count, () =>
        drawBill(isOneShop ? first : { ...makeShop(random), words: first.words }, random, {
          pages: random.pick(pages),
          annex: random.pick(annexes),
          amount,
        }),
      ),
    }
  }

const papers =
  (kind: (typeof kinds)[number]): Group =>
  async (random, split, count) => {
    const made = await makeDocument({ kind, seed: random.int(0, 1_000_000), split })
    const others = await drawn(count - 1, async () => {
      const { pdf } = await makeDocument({ kind, seed: random.int(0, 1_000_000), split })
      return pdf
    })
    return { schema: random.chance(0.5) ? made.schema : partOf(made.schema, random), files: [made.pdf, ...others] }
  }

/** The schema with a few of its properties. */
function partOf(schema: JsonSchema, random: Random): JsonSchema {
  const all = Object.entries(schema['properties'] as JsonObject)
  const chosen = random.sample(all, random.int(3, 5))
  return asking(Object.fromEntries(all.filter((one) => chosen.includes(one))))
}

const plain =
  (kind: (typeof plainKinds)[number], isOneHouse: boolean): Group =>
  async (random, split, count) => {
    let house = makeHouse(random, split)
    return {
      schema: plainSchemas[kind],
      files: await drawn(count, () => {
        if (!isOneHouse) house = { ...makeHouse(random, split), wording: house.wording }
        return drawPlain(kind, house, random)
      }),
    }
  }

/** Groups of stacks by name. */
export const groups: Readonly<Record<string, Group>> = {
  'bills of one shop': bills({ isOneShop: true, annexes: ['none'], pages: [1, 1, 2] }),
  'bills of one shop, same amount': bills({ isOneShop: true, annexes: ['none'], pages: [1], isFixed: true }),
  'bills of several shops': bills({ isOneShop: false, annexes: ['none'], pages: [1, 1, 2] }),
  'bills with annexes': bills({ isOneShop: true, annexes: ['none', 'hours', 'delivery note', 'terms'], pages: [1, 2] }),
  'long bills': bills({ isOneShop: true, annexes: ['none', 'hours', 'delivery note', 'terms'], pages: [2, 3] }),
  ...Object.fromEntries(kinds.map((kind) => [`made ${kind}`, papers(kind)])),
  ...Object.fromEntries(plainKinds.map((kind) => [`${kind} of one house`, plain(kind, true)])),
  ...Object.fromEntries(plainKinds.map((kind) => [`${kind} of several houses`, plain(kind, false)])),
}

/** Stacks of a group: of two to four documents, or of one with several pages. */
export async function* makeStacks(
  group: string,
  { split, count, isOne }: { split: Split; count: number; isOne: boolean },
): AsyncGenerator<Stack> {
  for (let n = 0, tries = 0; n < count && tries < count * 12; tries += 1) {
    const random = createRandom(`stack/${split}/${group}/${isOne}/${tries}`)
    const make = groups[group]
    if (make === undefined) throw new Error(`There is no group ${group}`)
    const { schema, files } = await make(random, split, isOne ? 1 : random.int(2, 4))
    const read: (readonly Page[])[] = []
    for (const bytes of files) read.push((await readDocument({ bytes })).pages)
    const pages: Page[] = []
    const pieces = read.map((own) => {
      const first = pages.length
      for (const page of own) pages.push({ ...page, index: pages.length })
      return { first, last: pages.length - 1 }
    })
    if (pages.length < 2) continue
    n += 1
    yield {
      id: `${group} ${tries}`,
      group,
      schema,
      pieces,
      document: { mediaType: 'application/pdf', pageCount: pages.length, pages },
    }
  }
}
