import type { JsonSchema } from '@skillrun/core/json.ts'
import { fold, tokensOf } from '../layout/text.ts'
import { greeting, heading, nullRule, promise, reading, roleOf } from './instruction-grammar.ts'
import { type Names, namesOf } from './instruction-names.ts'
import { type Ask, accountsFor, listMark, type Sentence } from './instruction-rules.ts'
import { isVocabulary, type Part, plays } from './instruction-words.ts'

/** Names that an instruction may use in addition to the engine's vocabulary. */
export interface InstructionScope {
  /** The schema of the answer; null requests text, tables and facts. */
  readonly schema: JsonSchema | null
  /** Names of the inputs. */
  readonly inputs: readonly string[]
}

/** What instructions without a schema request. */
export interface Wanted {
  /** Labels whose values are requested; the document has to print them. */
  readonly named: readonly string[]
  /** Only tables are requested: text is no answer. */
  readonly tablesOnly: boolean
}

/** Whether rules can carry out an instruction. */
export type Explained =
  | ({ readonly accepted: true } & Wanted)
  /** `because`: the part that is not accounted for, verbatim. */
  | { readonly accepted: false; readonly because: string }

/** Longer texts are always refused. */
const sentencesMax = 400
const charactersMax = 40_000
const sentenceWordsMax = 150
const shownCharactersMax = 80

/**
 * Decides whether rules can carry out an instruction: reading text, tables and data from documents, into a schema where
 * there is one. Each sentence has to match a small grammar of reading requests whose only free words are the names of
 * the schema's fields. Anything else needs a language model.
 */
export function explainInstruction(text: string, scope: InstructionScope): Explained {
  if (text.trim() === '') return { accepted: true, named: [], tablesOnly: false }
  const sentences = text.length > charactersMax ? [] : sentencesOf(text)
  if (sentences.length === 0 || sentences.length > sentencesMax) return refused(text)
  const names = namesOf(scope)
  const asks: Ask[] = []
  let isMoreThanPolite = false
  for (const sentence of sentences) {
    const explained = explainSentence(sentence, names)
    if (typeof explained === 'string') return refused(explained)
    asks.push(...explained.asks)
    isMoreThanPolite ||= explained.asks.length > 0 || (names.hasSchema && !explained.isPolite)
  }
  // "Hello" alone requests nothing that could be read.
  if (!isMoreThanPolite) return refused(text)
  if (names.hasSchema) return { accepted: true, named: [], tablesOnly: false }
  const named = asks.filter(({ what }) => what === 'label').map(({ phrase }) => phrase)
  return { accepted: true, named: [...new Set(named)], tablesOnly: asks.every(({ what }) => what === 'tables') }
}

const refused = (because: string): Explained => {
  const line = because.replace(/\s+/gu, ' ').trim()
  return { accepted: false, because: line.length > shownCharactersMax ? `${line.slice(0, shownCharactersMax)}…` : line }
}

/** The sentences and list items of a text, without Markdown. */
const sentencesOf = (text: string): string[] =>
  text
    .split(/\n/u)
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*•–]\s+|\d{1,3}[.)]\s+)+/u, '')
        .replace(/[*_]{1,3}(?=[\p{L}])|(?<=[\p{L}.:,])[*_]{1,3}/gu, ' '),
    )
    .flatMap((line) => line.split(/(?<=[.!?;:])(?=\s|$)/u))
    .map((part) => part.trim())
    .filter((part) => /[^\s.,;:!?¡¿-]/u.test(part))

/** Punctuation without meaning. Any other, such as a plus or an arrow, is part of the request. */
const silentMarks = /^[\s\p{L}\p{M}\p{N}.,;:!?¡¿'’`()[\]/&#_–—-]*$/u
const listMarks = /[,;:()[\]/&]|\s[–—-]\s/u

/** What a sentence requests, or as a string the part that is not accounted for. */
function explainSentence(text: string, names: Names): { asks: readonly Ask[]; isPolite: boolean } | string {
  if (!silentMarks.test(text)) return text
  const tokens = tokensOf(text)
  if (tokens.length > sentenceWordsMax) return text
  const plain: string[] = []
  const folded: string[] = []
  let end = 0
  for (const token of tokens) {
    if (end > 0 && listMarks.test(text.slice(end, token.start))) {
      plain.push(listMark)
      folded.push(listMark)
    }
    plain.push(fold(text.slice(token.start, token.end)))
    folded.push(token.text)
    end = token.end
  }
  const sentence = { plain, folded, names }
  if (accountsFor(greeting, sentence) || accountsFor(heading, sentence)) return { asks: [], isPolite: true }
  const asks = accountsFor(reading, sentence)
  if (asks) return { asks, isPolite: false }
  const isPromise = plays('assurance', plain.join(' ')) || [promise, roleOf].some((rule) => accountsFor(rule, sentence))
  if (isPromise || isAboutNull(sentence)) return { asks: [], isPolite: false }
  return unknownWord(text, sentence) ?? text
}

/** "Use null where a field is missing": the engine does so for every field. */
function isAboutNull(sentence: Sentence): boolean {
  const { plain } = sentence
  const at = (part: Part): number => plain.findLastIndex((one) => plays(part, one))
  const nullAt = at('null')
  const notAt = at('not')
  const otherwiseAt = plain.indexOf('otherwise')
  const saysWhen =
    (otherwiseAt >= 0 && otherwiseAt < nullAt) || at('missing') >= 0 || (notAt >= 0 && at('found') > notAt)
  const isNegated = notAt >= 0 && (at('found') < notAt || (notAt < nullAt && nullAt - notAt <= 2))
  const labels = accountsFor(nullRule, sentence)
  return nullAt >= 0 && saysWhen && !isNegated && labels !== undefined && labels.length <= 1
}

/** The first word of a sentence that is in no list and in no name. */
function unknownWord(text: string, { plain, folded, names }: Sentence): string | undefined {
  const at = plain.findIndex(
    (one, index) => one !== listMark && !isVocabulary(one) && !names.hasWord(folded[index] ?? ''),
  )
  const before = plain.slice(0, at).filter((one) => one !== listMark).length
  const token = at < 0 ? undefined : tokensOf(text)[before]
  return token && text.slice(token.start, token.end)
}
