import { legible } from '@skillrun/core/json.ts'
import { boundedEvidence, type Evidence, type EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { withTimes } from '@skillrun/reader/evidence/evidence-times.ts'
import { findValue, type Source, sourceOf } from '@skillrun/reader/evidence/find-value.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { foundEvidence } from '../ground-answer.job.ts'
import { type CiteRequest, passageKey } from './cite-text.ts'
import { sentencesOf } from './sentences.ts'

/** A shorter passage is cited only for a number or code in it: a word or two are in any document. */
const wordsMin = 3
const codeLengthMin = 3
/** The words of an answer that are looked up, so that a long answer about long documents stays affordable. */
const wordsMax = 4_000

export default function citeText({ documents, text }: CiteRequest): EvidenceMap {
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const source = sourceOf(unpacked)
  const evidence: Record<string, Evidence> = {}
  let left = wordsMax
  for (const sentence of sentencesOf(text)) {
    const words = [...sentence.text.matchAll(/\S+/g)].map((match) => trimmed(match[0], sentence.start + match.index))
    left -= words.length
    if (left < 0) break
    for (const [key, found] of passagesOf(words, text, source)) evidence[key] = found
  }
  return legible(withTimes(boundedEvidence(evidence).evidence, unpacked))
}

interface Word {
  readonly start: number
  readonly end: number
}

/** A word without the punctuation around it. */
function trimmed(word: string, at: number): Word {
  const core = /[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{L}\p{N}]/u.exec(word)
  const start = at + (core?.index ?? 0)
  return { start, end: start + (core?.[0].length ?? 0) }
}

/** The longest passages of consecutive words that a document contains, from left to right. */
function passagesOf(words: readonly Word[], text: string, source: Source): [string, Evidence][] {
  const passages: [string, Evidence][] = []
  for (let first = 0; first < words.length; first += 1) {
    let best: { last: number; evidence: Evidence } | undefined
    for (let last = first; last < words.length; last += 1) {
      const evidence = evidenceOf(between(words, first, last, text), source)
      if (!evidence) break
      best = { last, evidence }
    }
    if (!best) continue
    const passage = between(words, first, best.last, text)
    if (best.last - first + 1 < wordsMin && !isTelling(passage)) continue
    passages.push([passageKey(words[first]?.start ?? 0, words[best.last]?.end ?? 0), best.evidence])
    first = best.last
  }
  return passages
}

const between = (words: readonly Word[], first: number, last: number, text: string): string =>
  text.slice(words[first]?.start, words[last]?.end).replaceAll(/\s+/g, ' ')

function evidenceOf(passage: string, source: Source): Evidence | undefined {
  const found = passage === '' ? undefined : findValue(source, passage, '')
  return found && !found.otherSign ? foundEvidence(found) : undefined
}

/** Whether a passage has a number or code that is not in any document by chance. */
const isTelling = (passage: string): boolean =>
  passage.split(' ').some((word) => /\d/.test(word) && word.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= codeLengthMin)
