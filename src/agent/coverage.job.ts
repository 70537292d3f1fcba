import { type Coverage, type Covered, coverageOf } from './completeness.ts'

/** See `coverAnswer`. */
export default function coverage(covered: Covered): Coverage | undefined {
  return coverageOf(covered)
}
