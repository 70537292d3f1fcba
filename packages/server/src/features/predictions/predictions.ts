export { hubDomains } from './hub.ts'
