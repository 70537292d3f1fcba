export { advanceBatch } from './advance.ts'
export { purgeBatches } from './purge.ts'
