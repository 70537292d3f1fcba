/** One server-sent event (HTML standard, section 9.2). */
export interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The events of a stream as they come; comments, which keep the connection awake, are left out. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name) fields.set(name, value)
  }
  if (data.length === 0) return undefined
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: data.join('\n') }
}
