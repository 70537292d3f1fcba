import type { McpCall } from './tool.ts'

/** Longest silence for clients that take progress as a sign of life. */
const tickMs = 10_000

/**
 * Sends progress notifications for the events of an execution until the returned function is called. Sends none when the client
 * did not ask for them; without the scope `read`, only that the execution continues.
 */
export function followProgress({ route, onProgress, signal }: McpCall, id: string): () => void {
  if (!onProgress) return () => undefined
  const stopped = new AbortController()
  const tick = setInterval(() => onProgress('The execution continues'), tickMs)
  tick.unref()
  const follow = async (): Promise<void> => {
    const { stream } = await route('listExecutionEvents', { params: { id }, headers: { accept: 'text/event-stream' } })
    if (!stream) return
    const stop = () => stream.destroy()
    AbortSignal.any([stopped.signal, signal]).addEventListener('abort', stop, { once: true })
    if (stopped.signal.aborted) stop()
    for await (const part of stream) {
      const message = messageOf(String(part))
      if (message !== undefined && !stopped.signal.aborted) onProgress(message)
    }
  }
  // Progress is optional: without it the result still comes.
  follow().catch(() => undefined)
  return () => {
    clearInterval(tick)
    stopped.abort()
  }
}

/** A server-sent event in words; undefined for comments. Each part of the stream is one event. */
function messageOf(part: string): string | undefined {
  const event = /^event: (.*)$/m.exec(part)?.[1]
  const data = /^data: (.*)$/m.exec(part)?.[1]
  if (event === undefined || data === undefined) return undefined
  const { status, seq, name } = JSON.parse(data) as { status?: string; seq?: number; name?: string }
  return event === 'status' ? `Status: ${status}` : `Step ${(seq ?? 0) + 1}: ${name}`
}
