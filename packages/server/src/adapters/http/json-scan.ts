import { limits } from '../../core/limits.ts'
import { invalid } from './validation.ts'

/** Scans JSON text incrementally, so that text that is expensive to parse is rejected before it is parsed. */
export interface JsonScan {
  /** Scans the next bytes. Throws ValidationFailures for JSON that is too deep, or has too many values or too long names. */
  feed(bytes: Uint8Array): void
  /** Call it after the last bytes. */
  end(): ScannedJson
}

/** The result of a scan. */
export interface ScannedJson {
  /** Byte offset of the first number that a 64-bit float cannot represent. */
  readonly inexactAt: number | undefined
  /** Whether a string contains `\\u`: only then can it hold characters that its bytes do not show. */
  readonly hasUnicodeEscapes: boolean
}

/** Longer numbers count as inexact without a check: no float has so many digits. */
const numberCharactersMax = 1_000
/** Every decimal with at most this many significant digits and no exponent survives a 64-bit float. */
const safeDigits = 15

const quote = 0x22
const backslash = 0x5c

/** Starts a scan. Text that is not JSON is accepted: the parser reports it. */
export function makeJsonScan(): JsonScan {
  let position = 0
  let depth = 0
  let values = 0
  let isInText = false
  let isEscaped = false
  // Start of the current string, and the length of the last complete one, which is a name when a colon follows.
  let textAt = 0
  let textBytes = 0
  let nameBytes = 0
  let hasUnicodeEscapes = false
  let isInNumber = false
  let hasExponent = false
  let numberAt = 0
  // The part of a number that was in earlier chunks.
  let carried = ''
  let inexactAt: number | undefined

  const endNumber = (rest: () => string, length: number): void => {
    isInNumber = false
    if ((carried.length + length > safeDigits || hasExponent) && inexactAt === undefined && !isKept(carried + rest()))
      inexactAt = numberAt
    carried = ''
  }
  const count = (at: number): void => {
    if (++values > limits.jsonValuesMax) throw tooMany(at)
  }

  return {
    feed(bytes) {
      const textOf = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] as number
        if (isInText) {
          if (isEscaped) {
            isEscaped = false
            if (byte === 0x75) hasUnicodeEscapes = true
          } else if (byte === backslash) isEscaped = true
          else if (byte === quote) {
            isInText = false
            textBytes = position + at - textAt - 1
          }
          continue
        }
        if (isInNumber) {
          if (isOfNumber(byte)) {
            if (byte === 0x65 || byte === 0x45) hasExponent = true
            continue
          }
          const from = Math.max(0, numberAt - position)
          endNumber(() => textOf(from, at), at - from)
        }
        if (byte === quote) {
          isInText = true
          textAt = position + at
          count(textAt)
        } else if (byte === 0x7b || byte === 0x5b) {
          count(position + at)
          if (++depth > limits.jsonDepthMax) throw tooDeep(position + at)
        } else if (byte === 0x3a) {
          nameBytes += textBytes
          if (nameBytes > limits.jsonNameBytesMax) throw tooLongNames(position + at)
        } else if (byte === 0x7d || byte === 0x5d) depth--
        else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
          isInNumber = true
          hasExponent = false
          numberAt = position + at
          count(numberAt)
        } else if (byte === 0x74 || byte === 0x66 || byte === 0x6e) count(position + at)
      }
      if (isInNumber && carried.length <= numberCharactersMax)
        carried += textOf(Math.max(0, numberAt - position), bytes.length)
      position += bytes.length
    },
    end() {
      if (isInNumber) endNumber(() => '', 0)
      return { inexactAt, hasUnicodeEscapes }
    },
  }
}

const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b || byte === 0x65 || byte === 0x45

const tooDeep = (at: number) =>
  invalid(['body', at], `JSON should not be nested deeper than ${limits.jsonDepthMax} levels`, {
    type: 'json_too_deep',
    ctx: { max_depth: limits.jsonDepthMax },
  })

const tooMany = (at: number) =>
  invalid(
    ['body', at],
    `JSON should not have more than ${limits.jsonValuesMax} values and names; upload large data with POST /v1/files and refer to it by id`,
    { type: 'json_too_many_values', ctx: { max_values: limits.jsonValuesMax } },
  )

const tooLongNames = (at: number) =>
  invalid(
    ['body', at],
    `JSON should not have more than ${limits.jsonNameBytesMax} bytes in the names of its properties`,
    { type: 'json_names_too_long', ctx: { max_name_bytes: limits.jsonNameBytesMax } },
  )

/**
 * Whether a decimal number survives a 64-bit float: printed in its shortest form or with as many digits as were sent, it is
 * the same decimal. True for text that is not a number.
 */
export function isKept(text: string): boolean {
  if (text.length > numberCharactersMax) return false
  const value = Number(text)
  if (Number.isNaN(value) || String(value) === text) return true
  const sent = decimalOf(text)
  if (!Number.isFinite(value)) return false
  // toPrecision allows at most 100 digits.
  const digits = Math.min(100, Math.max(1, sent.digits.length))
  return [String(value), value.toPrecision(digits)].some((kept) => {
    const decimal = decimalOf(kept)
    return decimal.digits === sent.digits && decimal.exponent === sent.exponent
  })
}

/** A decimal number without its sign as integer digits times a power of ten, without leading and trailing zeros. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const leading = (whole + fraction).replace(/^0+/, '')
  const digits = leading.replace(/0+$/, '')
  if (digits === '') return { digits, exponent: 0 }
  return { digits, exponent: Number(power) - fraction.length + leading.length - digits.length }
}

/** The path to the value at byte `position` of well-formed JSON. */
export function pathAt(json: Buffer, position: number): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = 0; at < position; at++) {
    const byte = json[at]
    if (byte === quote) {
      const from = at
      for (at++; json[at] !== quote; at++) if (json[at] === backslash) at++
      let next = at + 1
      while (json[next] === 0x20 || json[next] === 0x0a || json[next] === 0x0d || json[next] === 0x09) next++
      if (json[next] === 0x3a) path[path.length - 1] = JSON.parse(json.toString('utf8', from, at + 1)) as string
    } else if (byte === 0x7b) path.push('')
    else if (byte === 0x5b) path.push(0)
    else if (byte === 0x7d || byte === 0x5d) path.pop()
    else if (byte === 0x2c) {
      const last = path.at(-1)
      if (typeof last === 'number') path[path.length - 1] = last + 1
    }
  }
  return path
}
