import type { Concept } from './concept.ts'
import { amountConcepts } from './concepts-amounts.ts'
import { partyConcepts } from './concepts-parties.ts'
import { referenceConcepts } from './concepts-references.ts'

/** Every concept that the engine knows, in English, German, French, Spanish, Italian, Dutch and Portuguese. */
export const concepts: readonly Concept[] = [...referenceConcepts, ...partyConcepts, ...amountConcepts]

const byId = new Map(concepts.map((concept) => [concept.id, concept]))

/** The concept with an id, or undefined. */
export const findConcept = (id: string): Concept | undefined => byId.get(id)

/** Splits a list of labels into phrases. */
export const phrasesOf = (list: string | undefined): string[] =>
  list === undefined ? [] : list.split('|').map((phrase) => phrase.trim())
