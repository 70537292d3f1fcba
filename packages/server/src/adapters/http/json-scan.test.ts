import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../core/limits.ts'
import { isKept, makeJsonScan, pathAt } from './json-scan.ts'
import { ValidationFailure } from './validation.ts'

/** Scans a text in chunks of `size` bytes. */
function scan(text: string, size = text.length): number | undefined {
  const bytes = Buffer.from(text)
  const scanner = makeJsonScan()
  for (let at = 0; at < bytes.length; at += size) scanner.feed(bytes.subarray(at, at + size))
  return scanner.end().inexactAt
}

function refusalOf(text: string) {
  try {
    scan(text)
  } catch (error) {
    return error instanceof ValidationFailure ? error.details[0] : error
  }
  return undefined
}

describe('numbers', () => {
  test.each([
    '12345678901234567890',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1E+400',
    '1e-400',
    '3.14159265358979323846',
    `${'9'.repeat(5_000)}`,
    '1.00000000000000000001',
  ])('%s loses precision', (text) => expect(isKept(text)).toBe(false))

  test.each([
    '0',
    '-0',
    '0.1',
    '1e5',
    '1E5',
    '1.50',
    '9007199254740992',
    '10000000000000000000000',
    '1e23',
    '5e-324',
    '1.7976931348623157e308',
    '0.30000000000000004',
    '0.10000000000000000555',
    '0e999',
    '0.000000000000000000',
  ])('%s keeps its value', (text) => expect(isKept(text)).toBe(true))

  test('every printed float keeps its value', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => isKept(JSON.stringify(value))),
    )
  })

  test('an integer is kept when it is exactly a float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
        const text = String(value)
        return !(BigInt(Number(text)) === value) || isKept(text)
      }),
    )
  })

  test('the offset of the first lossy number is reported, however the bytes are split', () => {
    const text = '{"a": [1, "12345678901234567890\\"", 0.5, {"b": 12345678901234567890}], "c": 1e999}'
    for (let size = 1; size <= text.length; size++) expect(scan(text, size)).toBe(text.indexOf(': 123456') + 2)
    expect(scan('1e999')).toBe(0)
    expect(scan('[1e99, "1e999"]')).toBeUndefined()
  })
})

test('Unicode escapes are detected, however the bytes are split', () => {
  const has = (text: string, size: number) => {
    const scanner = makeJsonScan()
    for (let at = 0; at < text.length; at += size) scanner.feed(Buffer.from(text.slice(at, at + size)))
    return scanner.end().hasUnicodeEscapes
  }
  for (const size of [1, 2, 3, 100]) {
    expect(has(String.raw`{"a\u0000":1}`, size)).toBe(true)
    expect(has(String.raw`{"a\\u0000":"\n\"u"}`, size)).toBe(false)
  }
})

describe('the location of a value', () => {
  test('is its path', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (around, pretty) => {
        const value = { before: around, list: [around, { 'a"\\:é': [around, 4242424242.5] }], after: around }
        const json = JSON.stringify(value, null, pretty ? 2 : 0)
        const at = Buffer.from(json.slice(0, json.indexOf('4242424242.5'))).length
        expect(pathAt(Buffer.from(json), at)).toEqual(['list', 1, 'a"\\:é', 1])
      }),
    )
  })
})

describe('JSON that is costly to parse is refused before parsing', () => {
  test('by its number of values and names, not by commas and braces in strings', () => {
    const most = `[${Array.from({ length: limits.jsonValuesMax - 1 }, () => 1).join(',')}]`
    expect(refusalOf(most)).toBeUndefined()
    expect(refusalOf(`${most.slice(0, -1)},1]`)).toMatchObject({
      type: 'json_too_many_values',
      ctx: { max_values: limits.jsonValuesMax },
    })
    expect(refusalOf(`["${'[{,:1'.repeat(limits.jsonValuesMax)}"]`)).toBeUndefined()
  })

  test.each(['[]', '{}', '"a"', 'null', 'true', 'false', '-1'])('counts %s as one value each time', (value) => {
    const times = (count: number) => `[${Array.from({ length: count }, () => value).join(',')}]`
    expect(refusalOf(times(limits.jsonValuesMax - 1))).toBeUndefined()
    expect(refusalOf(times(limits.jsonValuesMax))).toMatchObject({ type: 'json_too_many_values' })
  })

  test('by the bytes of its names, however they are split, not those of strings', () => {
    const name = 'n'.repeat(1_000)
    const most = Math.floor(limits.jsonNameBytesMax / name.length)
    const named = (count: number) => `{${Array.from({ length: count }, () => `"${name}" : "${name}"`).join(',')}}`
    expect(refusalOf(named(most))).toBeUndefined()
    const refusal = { type: 'json_names_too_long', ctx: { max_name_bytes: limits.jsonNameBytesMax } }
    expect(refusalOf(named(most + 1))).toMatchObject(refusal)
    expect(() => scan(named(most + 1), 999)).toThrow()
    expect(refusalOf(`["${':":'.repeat(10)}${'t'.repeat(limits.jsonNameBytesMax)}"]`)).toBeUndefined()
  })

  test('by its nesting, not by brackets in strings', () => {
    expect(refusalOf('['.repeat(limits.jsonDepthMax))).toBeUndefined()
    expect(refusalOf('['.repeat(limits.jsonDepthMax + 1))).toMatchObject({ type: 'json_too_deep', loc: ['body', 200] })
    expect(refusalOf(`"\\"${'['.repeat(500)}"`)).toBeUndefined()
  })
})
