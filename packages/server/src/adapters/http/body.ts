import type { Readable } from 'node:stream'
import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { findJsonBreak } from '@skillrun/core/json-break.ts'
import { limits } from '../../core/limits.ts'
import { makeJsonScan, pathAt, type ScannedJson } from './json-scan.ts'
import { type StallBounds, watchForStall } from './stall.ts'
import { invalid, refuseText } from './validation.ts'

/** Above this size each step takes milliseconds: yield to other requests between them. */
const largeBytes = 128 * 1024

/** An unread JSON body. */
export interface JsonBody {
  readonly stream: Readable
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
  readonly bounds: StallBounds
}

/**
 * Reads a JSON body. An empty body is undefined, because some clients send a content type with a GET.
 * Throws Faults `too_large`, `stalled` and `unavailable` (the client disconnected) or the signal's reason, and
 * ValidationFailures for text that is not UTF-8 JSON, is too deep, has too many values, or cannot be stored unchanged
 * (NUL, lone surrogates, `__proto__`, numbers that a 64-bit float cannot represent). Leaves the stream open for the reply.
 */
export async function readJson(body: JsonBody): Promise<unknown> {
  if (Number(body.headers['content-length'] ?? 0) > limits.jsonBodyBytesMax) throw tooLarge()
  const scan = makeJsonScan()
  const bytes = await readBytes(body, (chunk, isFirst) => {
    if (isFirst) refuseOtherTypes(body.headers['content-type'])
    scan.feed(chunk)
  })
  const scanned = scan.end()
  return bytes.length === 0 ? undefined : parseScanned(bytes, scanned)
}

/** Parses bytes that are not themselves a body as `readJson` parses a body, under the same limits. Throws its ValidationFailures. */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  const scan = makeJsonScan()
  for (let at = 0; at < bytes.length; at += largeBytes) {
    scan.feed(bytes.subarray(at, at + largeBytes))
    if (bytes.length > largeBytes) await otherRequestsFirst()
  }
  return parseScanned(bytes, scan.end())
}

async function parseScanned(bytes: Buffer, { inexactAt, hasUnicodeEscapes }: ScannedJson): Promise<unknown> {
  const isLarge = bytes.length > largeBytes
  const text = textOf(bytes)
  if (isLarge) await otherRequestsFirst()
  const value = parse(text)
  if (isLarge) await otherRequestsFirst()
  if (inexactAt !== undefined) throw inexactNumber(bytes, inexactAt)
  if (hasUnicodeEscapes || text.includes('__proto__')) refuseUnkeepable(value)
  if (isLarge) await otherRequestsFirst()
  return value
}

function refuseOtherTypes(contentType: string | string[] | undefined): void {
  if (/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(String(contentType ?? 'application/json'))) return
  throw invalid(['header', 'content-type'], 'Content type should be application/json', {
    type: 'content_type',
    input: contentType ?? null,
  })
}

const tooLarge = () =>
  new Fault(
    'too_large',
    'body_too_large',
    `The JSON body is larger than ${limits.jsonBodyBytesMax} bytes; upload large inputs with POST /v1/files and refer to them by id`,
  )

/** Reads the complete body. `look` receives each chunk and may throw to reject the rest. */
async function readBytes(
  { stream, signal, bounds }: JsonBody,
  look: (chunk: Buffer, isFirst: boolean) => void,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const watch = watchForStall({ ...bounds, signal })
  const parts: Buffer[] = []
  let length = 0
  let inThisTurn = 0
  const take = (chunk: Buffer) => {
    watch.alive()
    length += chunk.length
    try {
      if (length > limits.jsonBodyBytesMax) throw tooLarge()
      look(chunk, parts.length === 0)
      parts.push(chunk)
      inThisTurn += chunk.length
      if (inThisTurn > largeBytes) {
        inThisTurn = 0
        stream.pause()
        setImmediate(() => stream.resume())
      }
    } catch (error) {
      reject(error)
      stream.off('data', take)
    }
  }
  const abort = () => reject(watch.signal.reason)
  const gone = () => reject(new Fault('unavailable', 'client_gone', 'The client disconnected'))
  // The close after the end comes before the code after `await`.
  const end = () => {
    stream.off('close', gone)
    resolve()
  }
  watch.signal.addEventListener('abort', abort, { once: true })
  if (watch.signal.aborted) abort()
  stream.on('data', take).once('end', end).once('error', gone).once('close', gone)
  try {
    await promise
  } finally {
    watch.stop()
    watch.signal.removeEventListener('abort', abort)
    // The error listener stays: a later disconnect must not become an unhandled error.
    stream.off('data', take).off('end', end).off('close', gone)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(['body'], 'JSON text should be UTF-8', { type: 'json_invalid' })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const at = findJsonBreak(text)
    throw invalid(['body', at], 'JSON decode error', {
      type: 'json_invalid',
      ctx: { error: at < text.length ? 'unexpected text' : 'the text ends too early' },
    })
  }
}

function inexactNumber(bytes: Buffer, at: number) {
  const shown = 40
  const digits = /^[-+.\deE]*/.exec(bytes.toString('latin1', at, at + shown + 1))?.[0] ?? ''
  return invalid(
    ['body', ...pathAt(bytes, at)],
    'Number should be exactly representable as a 64-bit float; send it as a string',
    { type: 'number_inexact', input: digits.length > shown ? `${digits.slice(0, shown)}…` : digits },
  )
}

/** A value with a link to its parent; the path is only built for a rejected value. */
interface Placed {
  readonly value: unknown
  readonly step: string | number
  readonly above: Placed | undefined
}

function locOf(placed: Placed): (string | number)[] {
  const loc: (string | number)[] = []
  for (let at: Placed | undefined = placed; at; at = at.above) loc.unshift(at.step)
  return loc
}

function refuseUnkeepable(root: unknown): void {
  const pending: Placed[] = [{ value: root, step: 'body', above: undefined }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const above = next
    const { value } = next
    if (typeof value === 'string') refuseText(value, () => locOf(above))
    else if (Array.isArray(value))
      for (const [step, item] of value.entries()) pending.push({ value: item, step, above })
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        refuseText(key, () => locOf(above))
        if (key === '__proto__')
          throw invalid([...locOf(above), key], 'The name __proto__ is not allowed', { type: 'value_error' })
        pending.push({ value: item, step: key, above })
      }
    }
  }
}
