export type { KnownCase } from './bundle-cases.ts'
export type { AddedCase } from './cases.ts'
export { hasNewCases, listKnownCases } from './known-cases.ts'
