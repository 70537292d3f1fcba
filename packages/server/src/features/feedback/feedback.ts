export { forgetFeedback, forgetFeedbackOn } from './store.ts'
