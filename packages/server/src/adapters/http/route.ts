import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Db } from '../db/db.ts'
import type { FailureBody } from './failure-form.ts'

/** What a key may be allowed to do. `admin` includes all others. */
export const scopes = ['execute', 'read', 'skills:write', 'files:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Who calls: the key that was shown and the workspace within which every id is looked up. */
export interface Caller {
  readonly workspaceId: string
  readonly keyId: string
  readonly scopes: readonly string[]
}

/** One request as a handler sees it: parsed by the route's own schemas, the caller already known and allowed. */
export interface Incoming<Params, Query, Body> {
  readonly caller: Caller
  /**
   * The database, confined to the caller's workspace. A public route has no caller and sees every workspace: it confines the
   * database itself, by what its signed URL says.
   */
  readonly db: Db
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The JSON body before its schema parsed it, with the fields that the schema does not know. */
  readonly sentBody: unknown
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Scheme, host and port at which this server was reached; see `originOf`. */
  readonly origin: string
  /** The unread body, for routes whose `body` is `'stream'`. */
  readonly stream: Readable
  readonly requestId: string
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal
}

/** What a schema describes, its lists and objects read-only: a handler may send what it must not change. */
export type Sendable<Value> = Value extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Sendable<Value[Key]> }
    : Value

/** What a handler answers. `json` is sent as it is; `stream` is piped. */
export interface Reply<Json = unknown> {
  readonly status?: number
  readonly json?: Json
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of what came of the request, for its line in the log. */
  readonly about?: Readonly<Record<string, string>>
}

/** An endpoint as a declaration: what validates it, what documents it and what serves it are this one object. */
export interface RouteDeclaration<Params, Query, Body, Json = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** With parameters in braces, as in OpenAPI: `/v1/files/{id}`. */
  readonly path: string
  /** Unique name of the operation, in camelCase. */
  readonly operation: string
  readonly summary: string
  readonly tag: string
  /** Scope that the key must have; `public` needs no key; `any` needs a key of whatever scope. */
  readonly scope: Scope | 'any' | 'public'
  /** A page for people, which the API's description leaves out. */
  readonly hidden?: boolean
  readonly params?: z.ZodType<Params>
  readonly query?: z.ZodType<Query>
  /** A schema for JSON, or `'stream'` for a multipart body that the handler reads itself. */
  readonly body?: z.ZodType<Body> | 'stream'
  readonly reply: {
    readonly status: number
    readonly description: string
    readonly schema?: z.ZodType<Json>
    readonly contentType?: string
  }
  /** What the handler may answer otherwise without having failed. */
  readonly otherReplies?: readonly {
    readonly status: number
    readonly description: string
    readonly contentType?: string
  }[]
  /** Statuses of the failures that the handler may answer beside those that every route may. */
  readonly failures?: readonly (400 | 402 | 404 | 408 | 409 | 413 | 415 | 416 | 422 | 429 | 503)[]
  readonly handle: (request: Incoming<Params, Query, Body>) => Promise<Reply<NoInfer<Sendable<Json>> | FailureBody>>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes forgets the types that each handler has checked.
export type Route = RouteDeclaration<any, any, any, any>

/** Declares an endpoint; only infers the handler's types from its schemas. */
export function route<Params = Record<string, never>, Query = Record<string, never>, Body = undefined, Json = unknown>(
  declaration: RouteDeclaration<Params, Query, Body, Json>,
): Route {
  return declaration
}
