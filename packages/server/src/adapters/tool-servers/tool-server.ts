import type { Json, JsonSchema } from '@skillrun/core/json.ts'

/** A tool of somebody else's, as its server tells it. */
export interface ServedTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

/** How a server of tools is reached: over HTTP, or as a program of this machine that the operator trusts. */
export type ToolServerAddress =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
    }

/**
 * A server of tools that the operator named. What it tells and answers is a stranger's: names, descriptions and answers are
 * bounded. `call` throws Fault `tool_server_failed` (upstream) when it cannot be reached, answers nonsense or an error, and
 * `signal.reason` on abort. A connection that was lost is made anew by the next call.
 */
export interface ToolServer {
  readonly tools: readonly ServedTool[]
  call(name: string, input: Json, signal: AbortSignal): Promise<Json>
  close(): Promise<void>
}
