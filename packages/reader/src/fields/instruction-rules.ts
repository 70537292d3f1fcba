import type { Names } from './instruction-names.ts'
import { type Part, plays } from './instruction-words.ts'

/** What a request asks for: a value by its label, the tables, or everything. */
export interface Ask {
  readonly what: 'label' | 'tables' | 'all'
  readonly phrase: string
}

/** A tokenised sentence. Each list separator is a token. */
export interface Sentence {
  /** Lower case, without accents. */
  readonly plain: readonly string[]
  /** The same with every word for "number" replaced by one word, as in folded names. */
  readonly folded: readonly string[]
  readonly names: Names
}

/** Positions after a match, each with what was requested on the way. */
export type Ends = ReadonlyMap<number, readonly Ask[]>
/** A grammar rule: maps a position in a sentence to every position where a match may end. */
export type Rule = (sentence: Sentence, at: number) => Ends

export const listMark = ','

const none: Ends = new Map()
const phraseWordsMax = 7

/** The phrases that start at a position, with the positions after them. */
export function phrasesAt(of: readonly string[], at: number): [phrase: string, end: number][] {
  const found: [string, number][] = []
  const max = Math.min(of.length, at + phraseWordsMax)
  for (let end = at + 1; end <= max; end++) found.push([of.slice(at, end).join(' '), end])
  return found
}

const phrase =
  (accepts: (phrase: string, names: Names) => boolean, asks: readonly Ask[] = []): Rule =>
  ({ plain, names }, at) =>
    new Map(phrasesAt(plain, at).flatMap(([text, end]) => (accepts(text, names) ? [[end, asks]] : [])))

/** A word or phrase with one of the given parts of speech. */
export const word = (...parts: readonly Part[]): Rule => phrase((text) => parts.some((part) => plays(part, text)))
export const asking = (what: Ask['what'], ...parts: readonly Part[]): Rule =>
  phrase((text) => parts.some((part) => plays(part, text)), [{ what, phrase: '' }])
export const named = (accepts: (names: Names, phrase: string) => boolean, asks: readonly Ask[] = []): Rule =>
  phrase((text, names) => accepts(names, text), asks)
export const literal = (text: string): Rule => phrase((one) => one === text)

/** Rules in sequence. */
export const seq =
  (...rules: readonly Rule[]): Rule =>
  (sentence, at) => {
    let ends: Ends = new Map([[at, []]])
    for (const rule of rules) {
      const next = new Map<number, readonly Ask[]>()
      for (const [end, asks] of ends)
        for (const [after, more] of rule(sentence, end)) if (!next.has(after)) next.set(after, [...asks, ...more])
      ends = next
    }
    return ends
  }

/** Alternatives. Of two that end at the same position, the first wins. */
export const any =
  (...rules: readonly Rule[]): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>()
    for (const rule of rules) for (const [end, asks] of rule(sentence, at)) if (!ends.has(end)) ends.set(end, asks)
    return ends
  }

export const maybe = (rule: Rule): Rule => any(rule, (_sentence, at) => new Map([[at, []]]))

/** Zero or more repetitions. */
export const many =
  (rule: Rule): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>([[at, []]])
    for (const [end, asks] of ends)
      for (const [after, more] of rule(sentence, end)) if (!ends.has(after)) ends.set(after, [...asks, ...more])
    return ends
  }

/** A rule that applies only to some requests. */
export const where =
  (accepts: (names: Names) => boolean, rule: Rule): Rule =>
  (sentence, at) =>
    accepts(sentence.names) ? rule(sentence, at) : none

/** What a rule requests, when it matches the whole sentence. */
export const accountsFor = (rule: Rule, sentence: Sentence): readonly Ask[] | undefined =>
  rule(sentence, 0).get(sentence.plain.length)
