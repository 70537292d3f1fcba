export { advanceBatch } from './advance.ts'
export type { BatchParts } from './create.ts'
