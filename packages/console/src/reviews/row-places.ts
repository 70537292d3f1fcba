import { pointerStep, pointerSteps, valueAt } from '@skillrun/core/json.ts'
import { originsOf } from '@skillrun/core/list-rows.ts'
import type { Execution, Json } from '../wire.ts'
import { rowKeys } from './list-rows.ts'

/** Names for the places of a corrected answer, which stay when rows are added or removed. */
export interface RowPlaces {
  /** The place in the response; an added row has the key of what it says. */
  readonly nameOf: (pointer: string) => string
  /** The place in the corrected answer; undefined: its row is gone. */
  readonly placeOf: (name: string) => string | undefined
}

export function rowPlaces({
  response,
  reviewed_response: reviewed,
  review,
}: Pick<Execution, 'response' | 'reviewed_response' | 'review'>): RowPlaces {
  const answer = (reviewed ?? response) as Json
  const origins = originsOf(review?.changes ?? [])
  /** The keys of the rows of a list; undefined: neither the answer nor the response has a list there. */
  const keysAt = (place: string, name: string): readonly string[] | undefined => {
    const items = valueAt(answer, place)
    if (Array.isArray(items)) return rowKeys(items, origins.get(name))
    return Array.isArray(valueAt(response as Json, name)) ? [] : undefined
  }
  return {
    nameOf: (pointer) => {
      let [place, name] = ['', '']
      for (const step of pointerSteps(pointer)) {
        const keys = keysAt(place, name)
        place += pointerStep(step)
        name += pointerStep(keys?.[Number(step)] ?? step)
      }
      return name
    },
    placeOf: (pointer) => {
      let [place, name] = ['', '']
      for (const step of pointerSteps(pointer)) {
        const keys = keysAt(place, name)
        const index = keys?.indexOf(step)
        if (index === -1) return undefined
        place += pointerStep(index ?? step)
        name += pointerStep(step)
      }
      return place
    },
  }
}
