export { listDomains } from './hub.ts'
