import { type Json, pointerStep } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceCandidate } from '../evidence/evidence.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Relation } from '../layout/sheet.ts'
import type { Plan } from '../schema/plan.ts'
import { unsupported } from '../values/verify.ts'

/** A value found for one place of the answer, with its evidence. */
export interface Finding {
  readonly value: Json
  readonly evidence: Evidence
  /** The lowest OCR confidence among its words, 0 to 1; absent for text that needed no OCR. */
  readonly ocrConfidence?: number
  /** True when other values of the documents confirm it. */
  readonly isConfirmed?: boolean
  /** True for a value alone behind its label without a rival candidate, and for one of a column with exactly the field's name. */
  readonly isNamed?: boolean
  /** True for a cell of a structured source whose column has exactly the field's name. */
  readonly isCell?: boolean
  /** True for a text whose line continues with words that were read as something else. */
  readonly isCutOff?: boolean
  /** Why it may be another value, or none, as a sentence. */
  readonly doubt?: string
  /** Where on the pages it stands; absent for what follows from other values. */
  readonly place?: { readonly words: readonly PlacedWord[]; readonly relation: Relation }
}

/** All findings: single values by pointer; for each list its items, with pointers relative to the item. */
export interface Findings {
  readonly single: ReadonlyMap<string, Finding>
  readonly lists: ReadonlyMap<string, readonly ReadonlyMap<string, Finding>[]>
  /** The words that say that a list is empty, by the list's pointer. */
  readonly none?: ReadonlyMap<string, Evidence>
  /** By pointer: why a place stayed empty, where there is more to say than "not found". */
  readonly notes: ReadonlyMap<string, string>
  /** What a place that stayed empty may hold, by pointer. */
  readonly candidates?: ReadonlyMap<string, readonly EvidenceCandidate[]>
}

interface Built {
  /** Undefined when the place must be omitted. */
  readonly value: Json | undefined
  readonly isEmpty: boolean
}

interface Assembly {
  readonly findings: Findings
  readonly evidence: Record<string, Evidence>
}

/** A place in the answer and where its findings are kept. */
interface Place {
  readonly pointer: string
  readonly key: string
  readonly required: boolean
  readonly found: ReadonlyMap<string, Finding>
}

const nothingFound = 'Nothing in the input supports a value.'

function emptyValue(plan: Plan, required: boolean): Json | undefined {
  if (plan.nullable) return null
  return required ? null : undefined
}

function buildLeaf(assembly: Assembly, plan: Plan, place: Place): Built {
  const finding = place.found.get(place.key)
  if (finding !== undefined) {
    assembly.evidence[place.pointer] = finding.evidence
    return { value: finding.value, isEmpty: false }
  }
  const candidates = assembly.findings.candidates?.get(place.pointer)
  const reason = assembly.findings.notes.get(place.pointer) ?? nothingFound
  assembly.evidence[place.pointer] = { ...unsupported(reason), ...(candidates && { candidates }) }
  return { value: emptyValue(plan, place.required), isEmpty: true }
}

function buildList(assembly: Assembly, plan: Plan & { type: 'array' }, place: Place): Built {
  const items = assembly.findings.lists.get(place.pointer) ?? []
  if (items.length === 0) {
    const none = plan.mayBeEmpty ? assembly.findings.none?.get(place.pointer) : undefined
    assembly.evidence[place.pointer] =
      none ?? unsupported(assembly.findings.notes.get(place.pointer) ?? 'No such list was found in the input.')
    if (none) return { value: [], isEmpty: false }
    if (plan.nullable) return { value: null, isEmpty: true }
    return { value: plan.mayBeEmpty || place.required ? [] : undefined, isEmpty: true }
  }
  const value = items.map((found, index) => {
    const pointer = place.pointer + pointerStep(index)
    return build(assembly, plan.item, { pointer, key: '', required: true, found }).value ?? null
  })
  return { value, isEmpty: false }
}

function build(assembly: Assembly, plan: Plan, place: Place): Built {
  if (plan.type === 'leaf') return buildLeaf(assembly, plan, place)
  if (plan.type === 'array') return buildList(assembly, plan, place)
  const entries: [string, Json][] = []
  let isEmpty = true
  for (const property of plan.properties) {
    const step = pointerStep(property.name)
    const inner = {
      pointer: place.pointer + step,
      key: place.key + step,
      required: property.required,
      found: place.found,
    }
    const built = build(assembly, property.plan, inner)
    if (!built.isEmpty) isEmpty = false
    if (built.value !== undefined) entries.push([property.name, built.value])
  }
  if (isEmpty && place.pointer !== '') {
    if (plan.nullable) return { value: null, isEmpty }
    if (!place.required) return { value: undefined, isEmpty }
  }
  return { value: Object.fromEntries(entries), isEmpty }
}

/**
 * Assembles the answer and the evidence of each leaf. A place without a value is null where its schema allows null,
 * omitted where it is optional, and null where it is required. An empty list stays in the answer unless its schema
 * forbids empty lists.
 */
export function assemble(plan: Plan, findings: Findings): { answer: Json; evidence: Record<string, Evidence> } {
  const assembly: Assembly = { findings, evidence: {} }
  const built = build(assembly, plan, { pointer: '', key: '', required: true, found: findings.single })
  return { answer: built.value ?? null, evidence: assembly.evidence }
}
