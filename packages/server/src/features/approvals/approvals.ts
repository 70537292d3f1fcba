export { decideOnTime } from './decide.ts'
export { ApprovalNeeded, approvalTopic, holdRun, isHeld, takeApproval } from './hold.ts'
