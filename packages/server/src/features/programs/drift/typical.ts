import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { type DocumentLine, wordsOf } from '../../../agent/programs/candidates.ts'

/**
 * The structure of a document and the roles of an answer's values in it, as named variables with one value each: how often a label occurs, what
 * stands before and after it, its column and the values beside it; of each answered field the label, the rank among equal labels, and the place.
 */
export type Profile = Readonly<Record<string, string>>

/** What the profiles of known documents have in common. */
export interface Typical {
  /** Labels that most documents have; other labels are items or names. */
  readonly anchors: readonly string[]
  /** Number of documents per variable and value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The largest surprise of one of the documents, each compared with the others. */
  readonly most: Sums
}

/** Surprise by what it is about: roles of labels and values, their order, and their places. */
type Sums = Readonly<Record<Aspect, number>>
type Aspect = (typeof aspects)[number]
const aspects = ['roles', 'order', 'layout'] as const
const order = new Set(['before', 'after', 'above', 'below'])
const layout = new Set(['column', 'top', 'bottom'])
const aspectOf = (kind: string): Aspect => (order.has(kind) ? 'order' : layout.has(kind) ? 'layout' : 'roles')

/** What is surprising in a document: the values that no known document has, as `variable = value`. */
export interface Surprise {
  readonly sums: Sums
  /** By label or field. */
  readonly bySubject: ReadonlyMap<string, number>
  readonly unseen: readonly string[]
}

/** A label is an anchor if this share of the documents has it. */
const anchorShare = 0.6
const documentsMin = 3
const anchorsMax = 60
/** Beyond so many lines a document is compared by its beginning. */
const linesMax = 400
const labelWordsMax = 5
/** Places are counted from the edges of a document: what lies between depends on its length. */
const edgeLines = 3
/** A document is strange only if it is that much more surprising than every known one. */
const slack = 0.75
/** A value with a probability of 1 in 10 is no surprise. */
const surpriseMin = Math.log(10)

interface Row {
  readonly label: string
  readonly kinds: string
  readonly column: number
}

const rowOf = (line: DocumentLine): Row => {
  const index = line.cells.findIndex(({ text }) => /\p{L}{2}/u.test(text))
  const cell = line.cells[index]
  // A number is printed with more or fewer separators; it is no part of a label.
  const label = wordsOf(cell?.text ?? '')
    .filter((word) => word !== '#')
    .slice(0, labelWordsMax)
    .join(' ')
  const kinds = line.cells
    .map(({ values }) => values[0]?.kind ?? 'words')
    .slice(0, 4)
    .join('+')
  return { label, kinds, column: Math.round((cell?.box[0] ?? 0) * 10) }
}

/** The profile of a document, and of an answer by the places of its values. */
export function profileOf(all: readonly DocumentLine[], evidence: EvidenceMap): Profile {
  const lines = all.slice(0, linesMax)
  const rows = lines.map(rowOf)
  const profile: Record<string, string> = {}
  const neighbour = (at: number): string => {
    const row = rows[at]
    return row ? `${row.label}|${row.kinds}` : 'edge'
  }
  const times = new Map<string, number>()
  for (const [at, { label, kinds, column }] of rows.entries()) {
    if (label === '') continue
    const before = times.get(label) ?? 0
    times.set(label, before + 1)
    profile[`times ${label}`] = String(Math.min(before + 1, 3))
    if (before > 0) continue
    profile[`before ${label}`] = neighbour(at - 1)
    profile[`after ${label}`] = neighbour(at + 1)
    profile[`column ${label}`] = String(column)
    profile[`values ${label}`] = kinds
  }
  return { ...profile, ...rolesOf(lines, rows, evidence, neighbour) }
}

/** The roles of the values of an answer. */
function rolesOf(
  lines: readonly DocumentLine[],
  rows: readonly Row[],
  evidence: EvidenceMap,
  neighbour: (at: number) => string,
): Profile {
  const roles: Record<string, string> = {}
  const amounts = lines.flatMap(({ cells }, at) =>
    cells.flatMap(({ values }) => values.flatMap((one) => (one.kind === 'amount' ? [{ at, value: one.value }] : []))),
  )
  const largest = Math.max(...amounts.map(({ value }) => value))
  const lists = listsIn(Object.keys(evidence))
  for (const [pointer, one] of Object.entries(evidence)) {
    // Items of lists have as many roles as there are items.
    if (prefixesOf(pointer, /\/\d+(?=\/|$)/g).some((prefix) => lists.has(prefix))) continue
    // Whether a value was printed in another form depends on the value.
    roles[`evidence ${pointer}`] = one.status === 'normalised' ? 'verified' : one.status
    const place = placeIn(lines, one)
    if (!place) continue
    const row = rows[place.line]
    const same = rows.flatMap(({ label }, at) => (label === row?.label ? [at] : []))
    roles[`label ${pointer}`] = row?.label ?? ''
    roles[`rank ${pointer}`] = `${same.indexOf(place.line) + 1} of ${same.length}`
    roles[`cell ${pointer}`] = String(place.cell)
    roles[`above ${pointer}`] = neighbour(place.line - 1)
    roles[`below ${pointer}`] = neighbour(place.line + 1)
    roles[`top ${pointer}`] = place.line < edgeLines ? String(place.line) : 'far'
    const fromEnd = lines.length - place.line
    roles[`bottom ${pointer}`] = fromEnd <= edgeLines ? String(fromEnd) : 'far'
    const own = amounts.filter(({ at }) => at === place.line).map(({ value }) => value)
    if (own.length === 0) continue
    roles[`largest ${pointer}`] = String(own.includes(largest))
    roles[`last ${pointer}`] = String(amounts.at(-1)?.at === place.line)
  }
  return roles
}

/** The lists among these pointers: their items are numbered from 0, and fields such as `/2024` are not. */
const listsIn = (pointers: readonly string[]): ReadonlySet<string> =>
  new Set(pointers.flatMap((pointer) => prefixesOf(pointer, /\/0(?=\/|$)/g)))

const prefixesOf = (pointer: string, step: RegExp): string[] =>
  [...pointer.matchAll(step)].map(({ index }) => pointer.slice(0, index))

/** The line and cell in which a value stands: the cell around the middle of its box. */
function placeIn(lines: readonly DocumentLine[], one: EvidenceMap[string]): { line: number; cell: number } | undefined {
  if (!one?.bbox) return undefined
  const [x, y, width, height] = one.bbox
  const [middle, centre] = [x + width / 2, y + height / 2]
  for (const [line, { input, page, cells }] of lines.entries()) {
    if (page !== one.page || input !== one.input) continue
    const cell = cells.findIndex(
      ({ box }) => box[0] <= middle && middle <= box[0] + box[2] && box[1] <= centre && centre <= box[1] + box[3],
    )
    if (cell !== -1) return { line, cell }
  }
  return undefined
}

/** What these profiles have in common; undefined where they are too few. */
export function typicalOf(profiles: readonly Profile[]): Typical | undefined {
  if (profiles.length < documentsMin) return undefined
  const counts = new Map<string, number>()
  for (const profile of profiles)
    for (const variable of Object.keys(profile))
      if (variable.startsWith(timesOf)) counts.set(variable, (counts.get(variable) ?? 0) + 1)
  const anchors = [...counts]
    .filter(([, count]) => count >= profiles.length * anchorShare)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, anchorsMax)
    .map(([variable]) => variable.slice(timesOf.length))
  const values: Record<string, Record<string, number>> = {}
  const reduced = profiles.map((profile) => reduce(profile, anchors))
  for (const profile of reduced)
    for (const [variable, value] of Object.entries(profile)) {
      const known = values[variable] ?? {}
      known[value] = countOf(known, value) + 1
      values[variable] = known
    }
  const sums = reduced.map((profile) => surpriseIn(profile, values, 1).sums)
  const mostOf = (aspect: Aspect) => Math.max(...sums.map((one) => one[aspect]))
  const most = { roles: mostOf('roles'), order: mostOf('order'), layout: mostOf('layout') }
  return { anchors, values, most }
}

const timesOf = 'times '

/** Values are words of documents, which may be names that every object has. */
const countOf = (known: Readonly<Record<string, number>>, value: string): number =>
  Object.hasOwn(known, value) ? (known[value] ?? 0) : 0

/** A profile as far as it concerns anchors and fields; labels that are no anchors are all the same. */
function reduce(profile: Profile, anchors: readonly string[]): Profile {
  const known = new Set(anchors)
  const reduced: Record<string, string> = Object.fromEntries(anchors.map((label) => [timesOf + label, '0']))
  for (const [variable, value] of Object.entries(profile)) {
    const isOfField = /^[a-z]+ (?:\/|$)/.test(variable)
    const label = /^(?:times|before|after|column|values) (.*)$/s.exec(variable)?.[1]
    if (!isOfField && (label === undefined || !known.has(label))) continue
    const [neighbour, kinds] = value.split('|')
    if (kinds !== undefined) reduced[variable] = known.has(neighbour ?? '') ? (neighbour ?? '') : `other ${kinds}`
    else reduced[variable] = variable.startsWith('label ') && !known.has(value) ? 'other' : value
  }
  return reduced
}

/**
 * How surprising a profile is: for each variable with a value that was never seen, minus the logarithm of the probability of a new value, by the
 * number of distinct values so far. The variables of one label or field depend on each other, so only the largest counts. `own`: 1 if the profile is among those that were counted.
 * Source: I. H. Witten, T. C. Bell, "The zero-frequency problem: estimating the probabilities of novel events in adaptive text compression", IEEE
 * Transactions on Information Theory 37 (1991), 1085-1094 (method C).
 */
function surpriseIn(
  profile: Profile,
  values: Typical['values'],
  own: 0 | 1,
  accepted: ReadonlySet<string> = new Set(),
): Surprise {
  const unseen: string[] = []
  const bySubject = new Map<string, number>()
  const most = { roles: new Map<string, number>(), order: new Map<string, number>(), layout: new Map<string, number>() }
  for (const [variable, value] of Object.entries(profile)) {
    const known = values[variable]
    if (!known || countOf(known, value) > own) continue
    const distinct = Object.keys(known).length - own
    const seen = Object.values(known).reduce((total, count) => total + count, 0) - own
    const name = `${variable} = ${value}`
    if (distinct === 0 || accepted.has(name)) continue
    unseen.push(name)
    const space = variable.indexOf(' ')
    const [kind, subject] = [variable.slice(0, space), variable.slice(space + 1)]
    const surprise = Math.log((seen + distinct) / distinct)
    for (const largest of [bySubject, most[aspectOf(kind)]])
      largest.set(subject, Math.max(largest.get(subject) ?? 0, surprise))
  }
  const sumOf = (aspect: Aspect) => [...most[aspect].values()].reduce((total, one) => total + one, 0)
  const sums = { roles: sumOf('roles'), order: sumOf('order'), layout: sumOf('layout') }
  return { sums, bySubject, unseen }
}

/** What is surprising in a document and in the roles of an answer. `accepted`: unseen values of documents whose answers were judged right. */
export const surpriseOf = (profile: Profile, { anchors, values }: Typical, accepted: readonly string[]): Surprise =>
  surpriseIn(reduce(profile, anchors), values, 0, new Set(accepted))

/**
 * Whether a document is more surprising than all known ones in one aspect, by a margin. Each known document is compared with the others, so the comparison is that of conformal
 * prediction: without a change, and without the margin, at most one document in n + 1 is the most surprising in an aspect.
 * Source: V. Vovk, A. Gammerman, G. Shafer, Algorithmic Learning in a Random World (2005), chapters 2 and 7.
 */
export const isStrange = ({ sums }: Surprise, { most }: Typical): boolean =>
  aspects.some((aspect) => sums[aspect] > Math.max(most[aspect] / slack, surpriseMin))
