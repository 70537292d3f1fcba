export { decideOnTime } from './decide.ts'
export { ApprovalNeeded, approvalTopic, holdRun, isHeld, refuseUnapproved } from './hold.ts'
