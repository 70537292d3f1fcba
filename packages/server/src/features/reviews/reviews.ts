export { looksOf } from './doubts.ts'
export { enterQueue, reviewRuleOf } from './enter-queue.ts'
export { forgetReviews } from './store.ts'
