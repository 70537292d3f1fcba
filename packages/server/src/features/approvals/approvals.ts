export { decideOnTime } from './decide.ts'
export { ApprovalNeeded, approvalTopic, needsDecision, requestApproval, takeApproval } from './request-approval.ts'
