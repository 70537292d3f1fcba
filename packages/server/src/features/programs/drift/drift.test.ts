import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { textDocument } from '@skillrun/reader/media/testing/text-document.ts'
import { describe, expect, test } from 'vitest'
import type { DocumentLine } from '../../../agent/programs/candidates.ts'
import { linesOf } from '../../../agent/programs/lines-of.ts'
import { driftAfter, whoDrifted, whoseDrift, whyWithheld } from './drift.ts'
import { profileOf, typicalOf } from './typical.ts'

const read = (text: readonly string[]): DocumentLine[] => linesOf('slip', textDocument(text.join('\n')))

/** Evidence of values at the n-th cell that contains a text. */
function at(lines: readonly DocumentLine[], places: Readonly<Record<string, readonly [text: string, nth: number]>>) {
  const evidence: Record<string, EvidenceMap[string]> = {}
  for (const [pointer, [text, nth]] of Object.entries(places)) {
    const found = lines
      .flatMap(({ page, cells }) => cells.map((cell) => ({ page, cell })))
      .filter(({ cell }) => cell.text.includes(text))
    const one = found[nth]
    if (!one) throw new Error(`no ${text}`)
    evidence[pointer] = { status: 'verified', input: 'slip', page: one.page, bbox: one.cell.box, confidence: 1 }
  }
  return evidence
}

const items = ['Oats', 'Barley', 'Millet', 'Rye', 'Wheat']
const itemLines = (n: number) => items.slice(0, 1 + (n % 4)).map((name, i) => `${name.padEnd(12)}${11 + i + n}.50`)
const slip = (n: number, tail: readonly string[]): string[] => [
  'Highfield Mill',
  `Slip no.    HM-${100 + n}`,
  `Handed over 2026-03-${10 + n}`,
  ...itemLines(n),
  ...tail,
  'Keep this slip',
]
const usual = (n: number) =>
  slip(n, [`Goods       ${200 + n}.00`, `Deposit     ${20 + n}.00`, `Payable     ${220 + n}.00`])
const usualPlaces = (n: number) =>
  ({
    '/number': [`HM-${100 + n}`, 0],
    '/amount': [`${220 + n}.00`, 0],
  }) as const
const known = Array.from({ length: 12 }, (_, n) => {
  const lines = read(usual(n))
  return profileOf(lines, at(lines, usualPlaces(n)))
})
const typical = typicalOf(known)
const standing = { recent: [], accepted: [] }

test('a document like the known ones, with other items, is not withheld', () => {
  for (let n = 12; n < 18; n += 1) {
    const lines = read(usual(n))
    expect(whyWithheld(standing, typical, { lines, evidence: at(lines, usualPlaces(n)) })).toBeUndefined()
  }
})

/** The same words in new roles; the program goes on to read where it read before, the judge reads what is payable now. */
const changes: Readonly<
  Record<string, { tail: readonly string[]; program: readonly [string, number]; judge: readonly [string, number] }>
> = {
  'a label that occurs twice': {
    tail: ['Goods       200.00', 'Payable     220.00', 'Deposit     20.00', 'Payable     240.00'],
    program: ['220.00', 0],
    judge: ['240.00', 0],
  },
  'two labels that changed places': {
    tail: ['Payable     200.00', 'Deposit     20.00', 'Goods       220.00'],
    program: ['200.00', 0],
    judge: ['220.00', 0],
  },
  'an item after the sum': {
    tail: ['Goods       200.00', 'Deposit     20.00', 'Payable     220.00', 'Rye         15.00', 'Goods       235.00'],
    program: ['220.00', 0],
    judge: ['235.00', 0],
  },
  'a sum that is the deposit of another': {
    tail: ['Payable     220.00', 'Goods       200.00', 'Deposit     440.00'],
    program: ['220.00', 0],
    judge: ['440.00', 0],
  },
  'a part that was paid': {
    tail: ['Goods       200.00', 'Deposit     20.00', 'Payable     220.00', 'Deposit     100.00', 'Payable     120.00'],
    program: ['220.00', 0],
    judge: ['120.00', 0],
  },
}
const number: readonly [string, number] = ['HM-107', 0]
/** The judge answers with another value of a document that is as always. */
const otherJudges: Readonly<Record<string, readonly [string, number] | null>> = {
  'the sum before the deposit': ['207.00', 0],
  'the deposit': ['27.00', 0],
  'an item': ['18.50', 0],
  'the number of the slip': ['HM-107', 0],
  'a value that the document does not have': null,
}

describe('says who drifted', () => {
  test.each(Object.keys(changes))('the documents: %s', (name) => {
    const { tail, program, judge } = changes[name] as (typeof changes)[string]
    const lines = read(slip(7, tail))
    const evidence = at(lines, { '/number': number, '/amount': program })
    expect(whyWithheld(standing, typical, { lines, evidence })?.because).toContain('/amount')
    expect(
      whoseDrift({
        ...{ typical, accepted: [], lines, fields: ['/amount'], program: evidence },
        judge: at(lines, { '/number': number, '/amount': judge }),
      }),
    ).toBe('program')
  })

  test.each(Object.keys(otherJudges))('the judge: it answers with %s', (name) => {
    const lines = read(usual(7))
    const place = otherJudges[name]
    const judge = place
      ? at(lines, { '/number': number, '/amount': place })
      : { ...at(lines, { '/number': number }), '/amount': { status: 'unsupported' as const, confidence: 0 } }
    const program = at(lines, usualPlaces(7))
    expect(whoseDrift({ typical, accepted: [], lines, fields: ['/amount'], program, judge })).toBe('judge')
  })
})

test('a judge has drifted after two such disagreements that are in the majority, and is forgotten when the program is out of doubt', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const once = driftAfter(null, { fields: ['/amount'], drifted: 'judge', now }, [true])
  expect(once && whoDrifted(once)).toBe('program')
  const twice = driftAfter(once, { fields: ['/date'], drifted: 'judge', now: new Date(0) }, [true, true])
  expect(twice).toEqual({ program: 0, judge: 2, since: now.toISOString(), fields: ['/date'] })
  expect(twice && whoDrifted(twice)).toBe('judge')
  const agreed = { fields: [], drifted: 'program' as const, now }
  expect(driftAfter(twice, agreed, [true, true, false, false])).toEqual(twice)
  expect(driftAfter(twice, agreed, [true, true, false, false, false])).toBeNull()
})

test('what an independent judge accepted is no longer new, and labels may be words that every object has', () => {
  const strange = (n: number) =>
    slip(n, ['constructor 1.00', `Goods       ${200 + n}.00`, `Payable     ${220 + n}.00`, `Deposit     ${20 + n}.00`])
  const first = read(strange(7))
  const withheld = whyWithheld(standing, typical, { lines: first, evidence: at(first, usualPlaces(7)) })
  expect(withheld?.unseen.length).toBeGreaterThan(0)
  const next = read(strange(3))
  const accepting = { recent: [], accepted: withheld?.unseen ?? [] }
  expect(whyWithheld(accepting, typical, { lines: next, evidence: at(next, usualPlaces(3)) })).toBeUndefined()
  const named = [0, 1, 2, 3].map((n) => {
    const lines = read(['constructor 5.00', `valueOf ${n}.00`, 'toString 7.00'])
    return profileOf(lines, at(lines, { '/a': ['5.00', 0] }))
  })
  expect(typicalOf(named)?.values['times constructor']).toEqual({ '1': 4 })
})

test('a field that is named by a number has a role, and items of lists have none', () => {
  const placesOf = (n: number) => ({ '/2024': usualPlaces(n)['/amount'], '/items/0/2024': ['Oats', 0] }) as const
  const named = Array.from({ length: 12 }, (_, n) => {
    const lines = read(usual(n))
    return profileOf(lines, at(lines, placesOf(n)))
  })
  expect(Object.keys(named[0] ?? {})).toContain('label /2024')
  expect(Object.keys(named[0] ?? {}).join()).not.toContain('/items')
  const lines = read(slip(7, ['Payable     200.00', 'Deposit     20.00', 'Goods       220.00']))
  const evidence = at(lines, { '/2024': ['200.00', 0] })
  expect(whyWithheld(standing, typicalOf(named), { lines, evidence })?.because).toContain('around /2024')
})

test('every answer of a program in doubt is withheld, and with too few known documents nothing is strange', () => {
  const lines = read(usual(7))
  const of = { lines, evidence: at(lines, usualPlaces(7)) }
  expect(whyWithheld({ recent: [true, false, false], accepted: [] }, typical, of)).toMatchObject({ unseen: [] })
  expect(whyWithheld({ recent: [true, false, false, false], accepted: [] }, typical, of)).toBeUndefined()
  expect(typicalOf(known.slice(0, 2))).toBeUndefined()
  expect(whyWithheld(standing, undefined, of)).toBeUndefined()
})
