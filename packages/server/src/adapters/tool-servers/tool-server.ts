import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** A tool of an external server, as the server describes it. */
export interface ServedTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

/** Where a tool server is: an HTTP URL, or a program of this machine that the operator trusts. */
export type ToolServerAddress =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
    }

/**
 * A tool server from the configuration. Its names, descriptions and results are untrusted and limited in size. `call` throws
 * Fault `tool_server_failed` (upstream) when the server cannot be reached or replies with an error or an invalid result, and
 * `signal.reason` on abort. After a lost connection the next call reconnects.
 */
export interface ToolServer {
  readonly tools: readonly ServedTool[]
  call(name: string, input: Json, signal: AbortSignal): Promise<Json>
  close(): Promise<void>
}
