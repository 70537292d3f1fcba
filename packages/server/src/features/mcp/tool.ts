import type { Clock } from '@skillrun/core/clock.ts'
import { z } from 'zod'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { CallRoute } from '../../adapters/http/call-route.ts'
import type { Incoming } from '../../adapters/http/route.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import type { Endings } from '../executions/executions.ts'

export interface McpServices {
  readonly clock: Clock
  readonly endings: Pick<Endings, 'wait' | 'endedRecently'>
  readonly blobs: Blobs
  readonly processPool: ProcessPool
}

/** One MCP request: its HTTP request, and the routes of this server under its key. */
export interface McpCall extends McpServices, Pick<Incoming<unknown, unknown, unknown>, 'caller' | 'db' | 'signal'> {
  readonly route: CallRoute
  /** Sends a progress notification if the client requested them. */
  readonly onProgress?: ((message: string) => void) | undefined
}

/** A file that a tool result refers to. */
export interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  readonly size: number
}

export interface McpToolOutput {
  /** Matches the output schema of the tool. */
  readonly structured: Readonly<Record<string, unknown>>
  readonly links?: readonly ResourceLink[]
  /** The tool worked, but the execution failed. */
  readonly isFailure?: boolean
}

/** A tool of the MCP server. `run` throws Faults and ValidationFailures, which become tool errors. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodType
  readonly output: z.ZodType
  readonly isReadOnly: boolean
  run(input: never, call: McpCall): Promise<McpToolOutput>
  /** Creates the execution that a task follows, and returns its id. Absent: the tool cannot run as a task. */
  begin?(input: never, call: McpCall): Promise<string>
}

/** Declares a tool whose functions take the output of its input schema. */
export const mcpTool = <Input extends z.ZodType>(
  declared: Omit<McpTool, 'input' | 'run' | 'begin'> & {
    readonly input: Input
    run(input: z.infer<Input>, call: McpCall): Promise<McpToolOutput>
    begin?(input: z.infer<Input>, call: McpCall): Promise<string>
  },
): McpTool => declared

/** The schema in the form for MCP clients. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): { type: 'object' } {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return { ...json, type: 'object' }
}
