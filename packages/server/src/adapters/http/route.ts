import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import type { FailureBody } from './failure-form.ts'

/** Scopes of keys. `admin` includes all others. */
export const scopes = ['execute', 'read', 'skills:write', 'files:write', 'review', 'approve', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Roles of users in a workspace; each includes the previous one. */
export const roles = ['viewer', 'reviewer', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

/** Who calls, and the workspace in which every id is looked up. */
export interface Caller {
  readonly workspaceId: string
  /** The key; for a signed-in user, the membership of this workspace, which is stored like a key. */
  readonly keyId: string
  readonly scopes: readonly string[]
  /** Absent: the caller used a key. */
  readonly user?: SignedInUser
}

/** A person with a session cookie. */
export interface SignedInUser {
  readonly id: string
  readonly sessionId: string
  /** The role in the workspace of the request. */
  readonly role: Role
  /** Somebody else chose the password: until the user changes it, they have no scopes. */
  readonly mustChangePassword: boolean
}

/** A request as a handler gets it: authenticated, authorised, and parsed by the route's schemas. */
export interface Incoming<Params, Query, Body> {
  readonly caller: Caller
  /**
   * The database, confined to the caller's workspace. A public route has no caller and sees every workspace: it confines the database
   * itself, according to its signed URL.
   */
  readonly db: Db
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The JSON body before parsing, including fields that the schema does not know. */
  readonly sentBody: unknown
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Scheme, host and port at which this server was reached; see `originOf`. */
  readonly origin: string
  /** The network of the client, for limits: an IPv4 address, or the first half of an IPv6 address. */
  readonly network: string
  /** The unread body, for routes whose `body` is `'stream'`. */
  readonly stream: Readable
  readonly requestId: string
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal
}

/** `Value` with read-only arrays and objects, so that a handler can return values that it must not change. */
export type Sendable<Value> = Value extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Sendable<Value[Key]> }
    : Value

/** A handler's reply. `json` is sent unchanged; `stream` is piped. */
export interface Reply<Json = unknown> {
  readonly status?: number
  readonly json?: Json
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
  /** Ids of created or affected objects, for the request's log line. */
  readonly about?: Readonly<Record<string, string>>
}

/** The declaration of an endpoint: it validates requests, generates the documentation and handles requests. */
export interface RouteDeclaration<Params, Query, Body, Json = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Parameters are in braces, as in OpenAPI: `/v1/files/{id}`. */
  readonly path: string
  /** The operationId, unique, in camelCase. */
  readonly operation: string
  readonly summary: string
  readonly tag: string
  /** The scope that the caller needs; `public`: no key and no user; `any`: any key or user. */
  readonly scope: Scope | 'any' | 'public'
  /** A page for people or an alias, which the OpenAPI document omits. */
  readonly hidden?: boolean
  readonly params?: z.ZodType<Params>
  readonly query?: z.ZodType<Query>
  /** A schema for JSON, or `'stream'` for a multipart body that the handler reads. */
  readonly body?: z.ZodType<Body> | 'stream'
  readonly reply: {
    readonly status: number
    readonly description: string
    readonly schema?: z.ZodType<Json>
    readonly contentType?: string
  }
  /** Other successful replies. */
  readonly otherReplies?: readonly {
    readonly status: number
    readonly description: string
    readonly contentType?: string
  }[]
  /** Statuses of failures beyond those that every route can have. */
  readonly failures?: readonly (
    | 400
    | 401
    | 402
    | 403
    | 403
    | 404
    | 408
    | 409
    | 410
    | 413
    | 415
    | 416
    | 422
    | 429
    | 503
  )[]
  readonly handle: (request: Incoming<Params, Query, Body>) => Promise<Reply<NoInfer<Sendable<Json>> | FailureBody>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes cannot keep the types of each handler.
export type Route = RouteDeclaration<any, any, any, any>

/** Declares an endpoint; infers the handler's types from its schemas. */
export function route<Params = Record<string, never>, Query = Record<string, never>, Body = undefined, Json = unknown>(
  declaration: RouteDeclaration<Params, Query, Body, Json>,
): Route {
  return declaration
}

/**
 * Routes, and the same again below other prefixes. `aliases` maps a suffix of their operations to a prefix of their paths; the OpenAPI document
 * omits them.
 */
export const withAliases = (
  routes: readonly Route[],
  prefix: string,
  aliases: Readonly<Record<string, string>>,
): Route[] => [
  ...routes,
  ...Object.entries(aliases).flatMap(([suffix, other]) =>
    routes.map((one) => ({
      ...one,
      path: one.path.replace(prefix, other),
      operation: `${one.operation}${suffix}`,
      hidden: true,
    })),
  ),
]
