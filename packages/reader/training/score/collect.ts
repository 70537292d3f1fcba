import type { Json } from '@skillrun/core/json.ts'
import { readByRules } from '../../src/extract/read-by-rules.ts'
import { candidatesOf } from '../../src/score/candidates.ts'
import { calibratedSource } from '../../src/score/choice.ts'
import { featureNames } from '../../src/score/features.ts'
import type { CalibratedSource } from '../../src/score/model.ts'
import { keyOf } from '../../src/score/value-features.ts'
import { judge, type Verdict } from '../judge.ts'
import type { LabelledDocument } from './labelled.ts'
import type { Asking, Question } from './questions.ts'
import { familyOf } from './sets.ts'

/** The candidates of one field of one document, and which of them are right. */
export interface Group {
  readonly set: string
  /** Documents with the same words have the same name here, so that they are never on both sides of a split. */
  readonly document: string
  readonly field: string
  readonly source: CalibratedSource
  /** Whether the document has a value for the field. */
  readonly isThere: boolean
  /** Reworded ones are for training only. */
  readonly asking: Asking
  readonly keys: readonly string[]
  /** Where each candidate stands: the number of its cell, and its first and last character there. */
  readonly spots: Int32Array
  readonly right: Uint8Array
  /** The features of the candidates, one after the other. */
  readonly rows: Float32Array
  /** What the rules answered, and whether that is right. */
  readonly ruleKey: string | null
  readonly rule: Verdict
  readonly ruleConfidence: number
}

export const width = featureNames.length

/** The groups of one document for one question. */
export function groupsOf(labelled: LabelledDocument, question: Question, asking: Asking): Group[] {
  const documents = [{ input: 'document', document: labelled.document }]
  const { sheet, fields, single, withdrawn, ofLists } = readByRules(
    { documents, values: {}, schema: question.schema },
    question.schema,
  )
  const byPointer = new Map(
    candidatesOf(sheet, fields.single, { found: single, withdrawn, ofLists }).map((one) => [one.field.pointer, one]),
  )
  const cells = new Map<unknown, number>()
  return question.asked.flatMap(({ pointer, path, truth }): Group[] => {
    const scored = byPointer.get(pointer)
    if (scored === undefined) return []
    const accepted = labelled.accepts[path] ?? []
    const verdictOf = (value: Json): Verdict => {
      const verdict = judge({ field: path, value: truth, accepted, recognised: labelled.recognised }, value)
      return verdict === 'wrong' && labelled.isRight?.(value, truth) === true ? 'right' : verdict
    }
    const { candidates, rows, rule } = scored
    const answer = rule === null || rule.isWithdrawn ? null : rule.value
    // Shared, so that workers hand it over without a copy.
    const flat = new Float32Array(new SharedArrayBuffer(rows.length * width * 4))
    for (const [at, row] of rows.entries()) flat.set(row, at * width)
    const spots = Int32Array.from(
      candidates.flatMap(({ cell, start, end }) => {
        const number = cells.get(cell) ?? cells.size
        cells.set(cell, number)
        return [number, start, end]
      }),
    )
    const keys = candidates.map(({ value }) => keyOf(value))
    const verdicts = new Map<string, Verdict>()
    const right = candidates.map(({ value }) => {
      const text = JSON.stringify(value)
      const verdict = verdicts.get(text) ?? verdictOf(value)
      verdicts.set(text, verdict)
      return verdict === 'right' ? 1 : 0
    })
    const [first] = candidates
    const isOcr = sheet.pages.some(({ page }) => page.source === 'ocr')
    return [
      {
        set: labelled.set,
        document: `${familyOf(labelled.set)}/${labelled.id}`,
        field: path,
        source: first === undefined ? (isOcr ? 'recognised' : 'text') : calibratedSource(first),
        isThere: truth !== null,
        asking,
        keys,
        spots,
        right: Uint8Array.from(right),
        rows: flat,
        ruleKey: answer === null ? null : keyOf(answer),
        rule: verdictOf(answer),
        ruleConfidence: answer === null ? 0 : (rule?.confidence ?? 0),
      },
    ]
  })
}
