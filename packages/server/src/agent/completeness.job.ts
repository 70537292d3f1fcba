import {
  type CompletenessReport,
  type CompletenessRequest,
  reportCompleteness,
} from '@skillrun/reader/evidence/completeness.ts'

export default function report(request: CompletenessRequest): CompletenessReport | undefined {
  return reportCompleteness(request)
}
