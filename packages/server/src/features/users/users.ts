export { ensureFirstAdmin } from './manage.ts'
export { makePasswordHasher, type PasswordHasher } from './passwords.ts'
export { makeFindSession, makeRefreshCaller } from './sessions.ts'
