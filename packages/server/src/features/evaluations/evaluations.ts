export type { KnownCase } from './bundle-cases.ts'
export type { OnCase } from './cases.ts'
export { hasNewCases, listKnownCases } from './known-cases.ts'
