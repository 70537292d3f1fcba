import type { Names } from './instruction-names.ts'
import { type Part, plays } from './instruction-words.ts'

/** What a request asks for: something by its label, the tables, or all that the document says. */
export interface Ask {
  readonly what: 'label' | 'tables' | 'all'
  readonly phrase: string
}

/** A sentence as it is parsed. Each mark of a list in it is a word of its own. */
export interface Sentence {
  /** In lower case and without accents. */
  readonly plain: readonly string[]
  /** The same with every word for "number" as one word, as names are folded. */
  readonly folded: readonly string[]
  readonly names: Names
}

/** Places after what a rule accounts for, each with what was asked for on the way there. */
export type Ends = ReadonlyMap<number, readonly Ask[]>
/** A rule of the grammar: from a place of a sentence to every place where it may end. */
export type Rule = (sentence: Sentence, at: number) => Ends

export const listMark = ','

const none: Ends = new Map()
const phraseWordsMax = 7

/** The phrases that begin at a place, with the places after them. */
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

/** A word or phrase that plays one of some parts. */
export const word = (...parts: readonly Part[]): Rule => phrase((text) => parts.some((part) => plays(part, text)))
export const asking = (what: Ask['what'], ...parts: readonly Part[]): Rule =>
  phrase((text) => parts.some((part) => plays(part, text)), [{ what, phrase: '' }])
export const named = (accepts: (names: Names, phrase: string) => boolean, asks: readonly Ask[] = []): Rule =>
  phrase((text, names) => accepts(names, text), asks)
export const literal = (text: string): Rule => phrase((one) => one === text)

/** One rule after the other. */
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

/** Any of some rules; of two that end at one place the first one counts. */
export const any =
  (...rules: readonly Rule[]): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>()
    for (const rule of rules) for (const [end, asks] of rule(sentence, at)) if (!ends.has(end)) ends.set(end, asks)
    return ends
  }

export const maybe = (rule: Rule): Rule => any(rule, (_sentence, at) => new Map([[at, []]]))

/** A rule as often as it goes, or not at all. */
export const many =
  (rule: Rule): Rule =>
  (sentence, at) => {
    const ends = new Map<number, readonly Ask[]>([[at, []]])
    for (const [end, asks] of ends)
      for (const [after, more] of rule(sentence, end)) if (!ends.has(after)) ends.set(after, [...asks, ...more])
    return ends
  }

/** A rule for some requests alone. */
export const where =
  (accepts: (names: Names) => boolean, rule: Rule): Rule =>
  (sentence, at) =>
    accepts(sentence.names) ? rule(sentence, at) : none

/** What a rule asks for where it accounts for the whole sentence. */
export const accountsFor = (rule: Rule, sentence: Sentence): readonly Ask[] | undefined =>
  rule(sentence, 0).get(sentence.plain.length)
