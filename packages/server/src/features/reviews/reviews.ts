export { enterQueue, reviewRuleOf } from './enter-queue.ts'
export { forgetReviews } from './store.ts'
