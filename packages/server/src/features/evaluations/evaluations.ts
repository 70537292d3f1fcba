export type { KnownCase } from './bundle-cases.ts'
export { addReviewedCase, type OnCase } from './cases.ts'
export { hasNewCases, listKnownCases } from './known-cases.ts'
