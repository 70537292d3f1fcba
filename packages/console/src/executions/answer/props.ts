import type { ReviewChange } from '@skillrun/client/openapi.ts'
import type { ShownRow } from '../../reviews/list-rows.ts'
import type { AnswerRows } from '../../reviews/row-editing.ts'
import { type EvidenceMap, isJsonObject, type Json, type JsonObject } from '../../wire.ts'
import type { ShownPlaces } from './shown-places.ts'

/** The highlighted leaf of the answer, by JSON Pointer; null for none. */
export interface Looking {
  readonly active: string | null
  readonly look: (pointer: string | null) => void
  /** Called when a leaf is clicked, to show its place. */
  readonly pick?: (pointer: string) => void
}

export interface AnswerProps extends Looking {
  readonly evidence: EvidenceMap
  /** Pointers of the values that need a look. */
  readonly doubts: ReadonlySet<string>
  /** The visible places; undefined: all. */
  readonly only?: ShownPlaces | undefined
  /** Reviews of values, by pointer. */
  readonly reviewed?: ReadonlyMap<string, ReviewChange>
  /** The rows of lists. */
  readonly rows: AnswerRows
}

export interface BranchProps extends AnswerProps {
  readonly value: Json
  readonly pointer: string
  /** Whether there is only room for a dash where a value is missing. */
  readonly isCell?: boolean
}

export interface ListProps extends BranchProps {
  readonly items: readonly Json[]
}

export interface RowsProps extends ListProps {
  readonly shown: readonly ShownRow[]
}

/** The fields of an object without the evidence siblings for older clients. */
export const fieldsOf = (value: JsonObject): [string, Json][] =>
  Object.entries(value).filter(
    ([key, item]) =>
      !(
        key.endsWith('_metadata') &&
        key.slice(0, -'_metadata'.length) in value &&
        isJsonObject(item) &&
        Array.isArray(item['bboxes'])
      ),
  )

export const isBranch = (value: Json): boolean =>
  (Array.isArray(value) && value.length > 0) || (isJsonObject(value) && Object.keys(value).length > 0)
