export { forgetFeedback, forgetFeedbackOn, listFeedback } from './store.ts'
