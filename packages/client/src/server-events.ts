/** One server-sent event (HTML standard, section 9.2). */
export interface ServerEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** A server sends a comment every 15 s: after this silence it counts as gone, whatever the connection says. */
const silenceMsMax = 45_000

/** The events of a stream as they arrive, without comments. Throws the stream's error, and an Error after a silence. */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs = silenceMsMax,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silenceMs)
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

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The stream sent nothing for ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
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
