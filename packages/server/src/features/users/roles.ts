import type { Scope } from '../../adapters/http/route.ts'

/** What people may do in a workspace, each role more than the one before it. */
export const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** Approving is left to admins, so that nobody approves the runs that they started. */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  reviewer: ['read', 'review'],
  editor: ['read', 'review', 'execute', 'files:write', 'skills:write'],
  admin: ['admin'],
}
