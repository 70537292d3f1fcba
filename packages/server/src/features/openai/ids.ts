import { isId } from '@skillrun/core/ids.ts'

/** Ids of this dialect are those of executions with OpenAI's prefixes. */
export const responseId = (executionId: string): string => `resp_${executionId}`
export const messageId = (executionId: string): string => `msg_${executionId}`
export const callItemId = (executionId: string, index: number): string => `fc_${executionId}_${index}`

/** The execution of a response id; undefined for a malformed one. */
export function executionOfResponse(id: string): string | undefined {
  const own = /^resp_(.+)$/.exec(id)?.[1]?.toLowerCase()
  return own !== undefined && isId(own) ? own : undefined
}

/** The item of an execution's output that an id refers to; `call` is the index of a function call. */
export function outputItemOf(
  id: string,
): { readonly executionId: string; readonly call: number | undefined } | undefined {
  const [, message, ofCall, call] = /^(?:msg_([0-9a-f-]{36})|fc_([0-9a-f-]{36})_(\d{1,4}))$/i.exec(id) ?? []
  const executionId = (message ?? ofCall)?.toLowerCase()
  if (executionId === undefined || !isId(executionId)) return undefined
  return { executionId, call: call === undefined ? undefined : Number(call) }
}
