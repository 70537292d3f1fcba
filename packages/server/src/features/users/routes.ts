import { z } from 'zod'
import type { Caller, Route } from '../../adapters/http/route.ts'
import { route } from '../../adapters/http/route.ts'
import { limits } from '../../core/limits.ts'
import {
  type AdminCall,
  addUser,
  changeUser,
  listUsers,
  type ManageParts,
  removeUser,
  resetPassword,
} from './manage.ts'
import { roles } from './roles.ts'
import type { Member } from './store.ts'

const role = z.enum(roles).describe('viewer: read; reviewer: also review; editor: also execute and change; admin: all')
const email = z
  .string()
  .max(limits.emailCharactersMax)
  .regex(/^[^\s@"<>]+@[^\s@"<>]+$/, 'Input should be an email address')
const name = z
  .string()
  .trim()
  .min(1)
  .max(limits.userNameCharactersMax)
  .regex(/^\P{Cc}+$/u, 'A name is one line of text')
const password = z.string().min(1).max(limits.passwordCharactersMax)

const userFields = {
  id: z.string().describe('Of this person in this workspace; reviews, claims and the audit log name it'),
  email: z.string(),
  name: z.string(),
  role,
  workspace: z.string(),
  disabled: z.boolean().describe('Cannot sign in, in any workspace'),
  has_password: z.boolean(),
  has_provider: z.boolean().describe('Signs in by an identity provider'),
  must_change_password: z.boolean(),
  created_at: z.iso.datetime(),
  signed_in_at: z.iso.datetime().nullable().describe('Last sign-in'),
}
const userSchema = z.object(userFields).meta({ id: 'User' })
const userWithPassword = z
  .object({ ...userFields, password: z.string().nullable().describe('The generated password, only shown once') })
  .meta({ id: 'UserWithPassword' })

const wireOf = ({ id, role, workspace, user }: Member) => ({
  id,
  email: user.email,
  name: user.name,
  role,
  workspace,
  disabled: user.disabledAt !== null,
  has_password: user.password !== null,
  has_provider: user.issuer !== null,
  must_change_password: user.mustChange,
  created_at: user.createdAt.toISOString(),
  signed_in_at: user.signedInAt?.toISOString() ?? null,
})

const workspaceQuery = z.object({
  workspace: z
    .string()
    .max(100)
    .optional()
    .describe('Workspace of the users; only an admin of the first workspace can name another than their own'),
})
const params = z.object({ id: z.string() })
const common = { tag: 'users', scope: 'admin' } as const

/** Admins add, change and remove the users of a workspace. */
export function userRoutes(parts: ManageParts): Route[] {
  const callOf = (caller: Caller, workspace: string | null | undefined): AdminCall => ({
    caller,
    workspace: workspace ?? null,
  })
  return [
    route({
      ...common,
      method: 'get',
      path: '/v1/users',
      operation: 'listUsers',
      summary: 'List the users of this workspace',
      query: workspaceQuery,
      reply: { status: 200, description: 'The users, by name', schema: z.array(userSchema) },
      failures: [404],
      handle: async ({ caller, query }) => ({
        json: (await listUsers(parts, callOf(caller, query.workspace))).map(wireOf),
      }),
    }),
    route({
      ...common,
      method: 'post',
      path: '/v1/users',
      operation: 'addUser',
      summary: 'Add a user to this workspace',
      body: z
        .object({
          email,
          name: name.nullish().describe('If absent: the email address'),
          role,
          workspace: workspaceQuery.shape.workspace.nullable(),
          password: password
            .nullish()
            .describe(
              'If absent, one is generated. null: the user has none. Either way an account that exists keeps its own',
            ),
        })
        .meta({ id: 'UserRequest' }),
      reply: { status: 201, description: 'The user', schema: userWithPassword },
      failures: [400, 404, 409],
      handle: async ({ caller, body }) => {
        const added = await addUser(parts, {
          ...callOf(caller, body.workspace),
          ...{ email: body.email, name: body.name ?? undefined, role: body.role, password: body.password },
        })
        return { json: { ...wireOf(added.member), password: added.password } }
      },
    }),
    route({
      ...common,
      method: 'put',
      path: '/v1/users/{id}',
      operation: 'changeUser',
      summary: 'Change the role or name of a user, or disable the user, which ends all their sessions',
      params,
      query: workspaceQuery,
      body: z
        .object({ role: role.nullish(), name: name.nullish(), disabled: z.boolean().nullish() })
        .meta({ id: 'UserChange' }),
      reply: { status: 200, description: 'The user', schema: userSchema },
      failures: [404, 409],
      handle: async ({ caller, params, query, body }) => ({
        json: wireOf(await changeUser(parts, { ...callOf(caller, query.workspace), id: params.id, ...body })),
      }),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/v1/users/{id}',
      operation: 'removeUser',
      summary:
        'Remove a user from this workspace; without another workspace the account and its personal data are deleted',
      params,
      query: workspaceQuery,
      reply: { status: 200, description: 'The user that was removed', schema: userSchema },
      failures: [404, 409],
      handle: async ({ caller, params, query }) => ({
        json: wireOf(await removeUser(parts, { ...callOf(caller, query.workspace), id: params.id })),
      }),
    }),
    route({
      ...common,
      method: 'post',
      path: '/v1/users/{id}/reset-password',
      operation: 'resetPassword',
      summary: 'Give a user a new password, which they have to change, and end all their sessions',
      params,
      query: workspaceQuery,
      body: z
        .object({ password: password.nullish().describe('If absent, one is generated') })
        .nullish()
        .meta({ id: 'PasswordReset' }),
      reply: { status: 200, description: 'The user', schema: userWithPassword },
      failures: [400, 404],
      handle: async ({ caller, params, query, body }) => {
        const { member, password } = await resetPassword(parts, {
          ...callOf(caller, query.workspace),
          ...{ id: params.id, password: body?.password ?? undefined },
        })
        return { json: { ...wireOf(member), password } }
      },
    }),
  ]
}
