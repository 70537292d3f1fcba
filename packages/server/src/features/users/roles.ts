import type { Scope } from '../../adapters/http/route.ts'

/** The roles in a workspace; each includes the previous one. */
export const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** Only admins may approve, so that nobody approves their own runs. */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  reviewer: ['read', 'review'],
  editor: ['read', 'review', 'execute', 'files:write', 'skills:write'],
  admin: ['admin'],
}
