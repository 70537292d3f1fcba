import { readFileSync } from 'node:fs'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { extract } from '@skillrun/reader/extract/extract.ts'
import type { Extraction, ExtractionRequest } from '@skillrun/reader/extract/extraction.ts'
import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { wrongRates } from '@skillrun/reader/score/risk.ts'
import { compareAnswers } from '../compare-answers.ts'
import { sameValue } from '../same-value.ts'
import {
  type Candidate,
  type CandidateKind,
  candidatesOf,
  type DocumentLine,
  likeliest,
  wordsOf,
} from './candidates.ts'
import { type FieldPlan, writeProgram } from './emit.ts'
import { type LeafField, leafFieldsOf, readPath } from './leaf-fields.ts'
import type { LearnRequest, WrittenProgram } from './learn.ts'
import { type LearnedField, type Lesson, learnField, type Verdict } from './learn-field.ts'
import { linesOf } from './lines-of.ts'

/** The embedded engine replaces a learned rule when it is right in this many more examples, and in this larger share. */
const extractLeadMin = 2
const extractLeadShare = 0.15
/** More examples teach little and take long; the gate checks all of them. */
const examplesMax = 40
/** A field is only learned when its value is a candidate in at least this share of the examples. */
const reachMin = 0.6
/** Shorter expected values may be part of a label by chance. */
const tellingCharacters = 4

interface Studied {
  readonly lines: readonly DocumentLine[]
  readonly answer: Json
  readonly extracted: Json
  /** With the reader's calibrated score; undefined: a field needs a model. */
  readonly scored: Parameters<typeof likeliest>[0] | undefined
}

export default function learn({ schema, examples }: LearnRequest): WrittenProgram {
  const fields = leafFieldsOf(schema)
  if (fields === undefined)
    throw new Fault('invalid', 'cannot_compile', 'A program needs a schema of type object with properties')
  const studied = examples
    .slice(0, examplesMax)
    .map((example) => study(example, schema))
    .filter(({ lines }) => lines.length > 0)
  if (studied.length < 2)
    throw new Fault(
      'invalid',
      'cannot_compile',
      `A program needs at least 2 cases with a document to learn from; there are ${studied.length}`,
    )
  const known = knownTexts(studied)
  const plans = fields.map((field) => planField(field, studied, known))
  const library = readFileSync(new URL('./candidates.ts', import.meta.url), 'utf8')
  return {
    source: writeProgram({ plans, schema, library, examples: studied.length }),
    fields: plans.map(({ field, by, verdicts }) => ({ pointer: field.pointer, by, ...counted(verdicts) })),
  }
}

function study({ documents, answer }: LearnRequest['examples'][number], schema: LearnRequest['schema']): Studied {
  const unpacked = documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))
  const lines = unpacked.flatMap(({ input, document }) => linesOf(input, document))
  const request = { documents: unpacked, values: {}, schema }
  const scored = extractByEngine({ ...request, risk: { maxWrongRate: wrongRates.default, unsure: 'withhold' } })
  return {
    ...{ lines, answer },
    extracted: extractByEngine(request)?.answer ?? null,
    scored: scored && {
      answer: scored.answer,
      candidates: Object.fromEntries(
        Object.entries(scored.evidence).map(([pointer, { candidates = [] }]) => [pointer, candidates]),
      ),
    },
  }
}

/** What the embedded engine extracts; undefined when a field needs a model. */
function extractByEngine(request: ExtractionRequest): Extraction | undefined {
  try {
    return extract(request)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

function planField(field: LeafField, studied: readonly Studied[], known: readonly string[]): FieldPlan {
  const truths = studied.map(({ answer }) => readPath(answer, field.path))
  const extracted = studied.map((one, n) => verdictOn(truths[n] ?? null, readPath(one.extracted, field.path)))
  const byEngine: FieldPlan = { field, by: 'extract', verdicts: extracted, isOptional: true }
  const learned = field.isScalar ? learnScalar(field, { studied, truths, known }) : undefined
  if (learned === undefined) return byEngine
  const lead = rightOf(extracted) - learned.firstRight
  if (!learned.isSeconded && lead >= Math.max(extractLeadMin, studied.length * extractLeadShare)) return byEngine
  const isOptional = truths.some((truth) => truth === null)
  const { rule, kind, kept: verdicts, isSeconded } = learned
  return { field, by: rule.by, rule, kind, verdicts, isSeconded, isOptional }
}

const agree = (known: Json, given: Json): boolean => {
  const { fields, agreed } = compareAnswers(known, given)
  return agreed === fields.length
}

const rightOf = (verdicts: readonly Verdict[]): number => verdicts.filter((one) => one === 'right').length

const verdictOn = (truth: Json, given: Json): Verdict =>
  agree(truth, given) ? 'right' : agree(null, given) ? 'none' : 'wrong'

const counted = (verdicts: readonly Verdict[]) => ({
  right: rightOf(verdicts),
  wrong: verdicts.filter((one) => one === 'wrong').length,
  none: verdicts.filter((one) => one === 'none').length,
})

type Learned = LearnedField & { readonly kind: CandidateKind }

/** Learns a field of dates, amounts or texts; undefined when its values rarely appear in the documents. */
function learnScalar(
  field: LeafField,
  { studied, truths, known }: { studied: readonly Studied[]; truths: readonly Json[]; known: readonly string[] },
): Learned | undefined {
  const valued = truths.filter((truth) => truth !== null)
  if (valued.length === 0) return undefined
  const best = kindsOf(field, valued)
    .map((kind) => {
      const lessons = studied.map(({ lines, extracted, scored }, n) => {
        const seconds = scored ? likeliest(scored, field.pointer, field.path) : null
        return lessonOf({
          ...{ lines, kind, known, likeliest: seconds },
          ...{ read: readPath(extracted, field.path), truth: truths[n] ?? null },
        })
      })
      return { kind, lessons, reach: lessons.filter(({ right }) => right.includes(true)).length }
    })
    // The first of equally good kinds: the document's own conventions before a fixed order of day and month.
    .reduce((most, one) => (one.reach > most.reach ? one : most))
  if (best.reach < valued.length * reachMin) return undefined
  return { kind: best.kind, ...learnField(best.lessons) }
}

function kindsOf(field: LeafField, valued: readonly Json[]): readonly [CandidateKind, ...CandidateKind[]] {
  if (valued.every((one) => typeof one === 'number')) return ['amount']
  const isDate = valued.every((one) => typeof one === 'string' && /^\d{4}-\d\d-\d\d$/.test(one))
  if (isDate || field.isDate) return ['date', 'date, day first', 'date, month first']
  return ['text']
}

function lessonOf(of: {
  lines: readonly DocumentLine[]
  read: Json
  likeliest: unknown
  truth: Json
  kind: CandidateKind
  known: readonly string[]
}): Lesson {
  const candidates = candidatesOf(of.lines, of.kind).map((one) => withoutKnown(one, of.known))
  return {
    candidates,
    right: candidates.map(({ value }) => of.truth !== null && sameValue(of.truth, value)),
    isValued: of.truth !== null,
    read: of.read,
    likeliest: of.likeliest,
  }
}

/** Drops marks that contain an expected value, which must not become part of the program's source. */
const withoutKnown = (one: Candidate, known: readonly string[]): Candidate => ({
  ...one,
  marks: one.marks.filter((mark) => !known.some((text) => mark.includes(text))),
})

function knownTexts(studied: readonly Studied[]): string[] {
  const found = new Set<string>()
  const visit = (value: Json): void => {
    if (typeof value === 'string') {
      const text = wordsOf(value).join(' ')
      if (text.replaceAll('#', '').trim().length >= tellingCharacters) found.add(text)
    } else if (Array.isArray(value)) value.forEach(visit)
    else if (isJsonObject(value)) Object.values(value).forEach(visit)
  }
  for (const { answer } of studied) visit(answer)
  return [...found]
}
