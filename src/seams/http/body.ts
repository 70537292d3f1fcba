import type { Readable } from 'node:stream'
import { Fault } from '../../kit/fault.ts'
import { limits } from '../../kit/limits.ts'
import { invalid } from './validation.ts'

/**
 * Reads a JSON body of a known size limit. An empty body is undefined (clients send a content type on a GET).
 * Throws a 413 Fault for one too large, and ValidationFailures for text that is not UTF-8 JSON, too deep, or that
 * PostgreSQL could not keep as it is (NUL, lone surrogates, `__proto__`).
 */
export async function readJson(stream: Readable, contentType: string | undefined): Promise<unknown> {
  const bytes = await readBytes(stream)
  if (bytes.length === 0) return undefined
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType ?? 'application/json')) {
    throw invalid(['header', 'content-type'], 'Content type should be application/json', {
      type: 'content_type',
      input: contentType ?? null,
    })
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid(['body'], 'JSON text should be UTF-8', { type: 'json_invalid' })
  }
  refuseDeep(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const at = / at position (\d+)/.exec(String(error))?.[1]
    throw invalid(['body', Number(at ?? text.length)], 'JSON decode error', {
      type: 'json_invalid',
      ctx: { error: at ? 'unexpected text' : 'the text ends too early' },
    })
  }
  if (text.includes('\\u') || text.includes('__proto__')) refuseUnkeepable(value)
  return value
}

async function readBytes(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream) {
    const chunk = part as Buffer
    length += chunk.length
    if (length > limits.jsonBodyBytesMax) {
      throw new Fault(
        'too_large',
        'body_too_large',
        `The JSON body is larger than ${limits.jsonBodyBytesMax} bytes; upload large inputs with POST /v1/files and name them by id`,
      )
    }
    parts.push(chunk)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function refuseDeep(bytes: Buffer): void {
  let depth = 0
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limits.jsonDepthMax) {
        throw invalid(['body', at], `JSON should not be nested deeper than ${limits.jsonDepthMax} levels`, {
          type: 'json_too_deep',
          ctx: { max_depth: limits.jsonDepthMax },
        })
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
}

function refuseUnkeepable(root: unknown): void {
  const pending: { value: unknown; loc: readonly (string | number)[] }[] = [{ value: root, loc: ['body'] }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, loc } = next
    if (typeof value === 'string') refuseText(value, loc)
    else if (Array.isArray(value))
      value.forEach((item, index) => {
        pending.push({ value: item, loc: [...loc, index] })
      })
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        refuseText(key, loc)
        if (key === '__proto__')
          throw invalid([...loc, key], 'The name __proto__ is not allowed', { type: 'value_error' })
        pending.push({ value: item, loc: [...loc, key] })
      }
    }
  }
}

function refuseText(text: string, loc: readonly (string | number)[]): void {
  if (text.includes('\u0000')) throw invalid(loc, 'Text should not hold the NUL character', { type: 'string_nul' })
  if (!text.isWellFormed())
    throw invalid(loc, 'Text should be well-formed Unicode, without half a surrogate pair', { type: 'string_unicode' })
}
