import { type Role, roles, type Scope } from '../../adapters/http/route.ts'

export { type Role, roles }

/** Among the people with `approve`, each execution names the roles that may decide on it: admins alone by default. */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  reviewer: ['read', 'review', 'approve'],
  editor: ['read', 'review', 'approve', 'execute', 'files:write', 'skills:write'],
  admin: ['admin'],
}
