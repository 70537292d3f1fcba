export { ensureFirstAdmin } from './manage.ts'
export { makePasswordHasher } from './passwords.ts'
export { makeFindSession, makeRefreshCaller } from './sessions.ts'
