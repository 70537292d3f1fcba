import { type Coverage, type Covered, coverageOf } from '@skillrun/reader/evidence/completeness.ts'

export default function coverage(covered: Covered): Coverage | undefined {
  return coverageOf(covered)
}
