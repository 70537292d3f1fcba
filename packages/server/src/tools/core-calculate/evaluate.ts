import { Fault } from '@skillrun/core/fault.ts'
import { add, divide, type Fraction, fraction, fractionOf, isLess, multiply, round, subtract } from './fraction.ts'

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z]+)|([-+*/%^(),]))/iy
const depthMax = 100
/** Digits of numerator and denominator together: a bound on the work that one formula can cause. */
const digitsMax = 2_000
const powerMax = 64
const placesMax = 20

const bad = (what: string): Fault => new Fault('invalid', 'bad_formula', `The formula is invalid: ${what}`)

interface Reader {
  readonly tokens: readonly string[]
  at: number
  depth: number
}

/**
 * The exact value of a formula: decimals, `+ - * / % ^`, parentheses, and sum, min, max, abs, round(value, places). Throws
 * Fault `bad_formula`.
 */
export function evaluate(formula: string): Fraction {
  const reader: Reader = { tokens: tokensOf(formula), at: 0, depth: 0 }
  const value = readSum(reader)
  if (reader.at < reader.tokens.length) throw bad(`unexpected ${reader.tokens[reader.at]} at its end`)
  return value
}

function tokensOf(formula: string): string[] {
  const tokens: string[] = []
  tokenPattern.lastIndex = 0
  const text = formula.trimEnd()
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex
    const match = tokenPattern.exec(text)
    if (!match) throw bad(`${JSON.stringify(text.slice(at, at + 10))} is not a number, an operator or a function`)
    tokens.push((match[1] ?? match[2]?.toLowerCase() ?? match[3]) as string)
  }
  return tokens
}

const peek = (reader: Reader): string | undefined => reader.tokens[reader.at]

function take(reader: Reader, token: string): void {
  if (peek(reader) !== token)
    throw bad(`${token} is missing${peek(reader) ? ` before ${peek(reader)}` : ' at the end'}`)
  reader.at += 1
}

function bounded(value: Fraction): Fraction {
  if (value.over.toString().length + value.under.toString().length > digitsMax)
    throw bad(`an intermediate result has more than ${digitsMax} digits`)
  return value
}

function readSum(reader: Reader): Fraction {
  reader.depth += 1
  if (reader.depth > depthMax) throw bad(`it is nested deeper than ${depthMax} levels`)
  let value = readProduct(reader)
  for (let sign = peek(reader); sign === '+' || sign === '-'; sign = peek(reader)) {
    reader.at += 1
    const right = readProduct(reader)
    value = bounded(sign === '+' ? add(value, right) : subtract(value, right))
  }
  reader.depth -= 1
  return value
}

function readProduct(reader: Reader): Fraction {
  let value = readPower(reader)
  for (let sign = peek(reader); sign === '*' || sign === '/'; sign = peek(reader)) {
    reader.at += 1
    const right = readPower(reader)
    if (sign === '/' && right.over === 0n) throw bad('it divides by zero')
    value = bounded(sign === '*' ? multiply(value, right) : divide(value, right))
  }
  return value
}

function readPower(reader: Reader): Fraction {
  const sign = peek(reader)
  if (sign === '-' || sign === '+') {
    reader.at += 1
    reader.depth += 1
    if (reader.depth > depthMax) throw bad(`it is nested deeper than ${depthMax} levels`)
    const value = readPower(reader)
    reader.depth -= 1
    return sign === '-' ? fraction(-value.over, value.under) : value
  }
  const base = readPercent(reader)
  if (peek(reader) !== '^') return base
  reader.at += 1
  const exponent = readPower(reader)
  if (exponent.under !== 1n || exponent.over < 0n || exponent.over > powerMax)
    throw bad(`an exponent must be an integer from 0 to ${powerMax}`)
  return bounded(fraction(base.over ** exponent.over, base.under ** exponent.over))
}

/** `20%` is 20/100. */
function readPercent(reader: Reader): Fraction {
  const value = readValue(reader)
  if (peek(reader) !== '%') return value
  reader.at += 1
  return divide(value, fraction(100n))
}

function readValue(reader: Reader): Fraction {
  const token = peek(reader)
  reader.at += 1
  if (token === undefined) throw bad('it ends where a number is expected')
  if (/^[\d.]/.test(token)) return bounded(fractionOf(token))
  if (token === '(') {
    const value = readSum(reader)
    take(reader, ')')
    return value
  }
  if (/^[a-z]/.test(token)) return applied(token, readArguments(reader))
  throw bad(`${token} where a number is expected`)
}

function readArguments(reader: Reader): Fraction[] {
  take(reader, '(')
  const values = [readSum(reader)]
  while (peek(reader) === ',') {
    reader.at += 1
    values.push(readSum(reader))
  }
  take(reader, ')')
  return values
}

function applied(name: string, values: readonly Fraction[]): Fraction {
  const [first, second] = values as readonly [Fraction, ...Fraction[]]
  switch (name) {
    case 'sum':
      return values.reduce((sum, value) => bounded(add(sum, value)))
    case 'min':
      return values.reduce((least, value) => (isLess(value, least) ? value : least))
    case 'max':
      return values.reduce((most, value) => (isLess(most, value) ? value : most))
    case 'abs':
      return first.over < 0n ? fraction(-first.over, first.under) : first
    case 'round': {
      const places = second ?? fraction(0n)
      if (places.under !== 1n || places.over < 0n || places.over > placesMax)
        throw bad(`the second argument of round must be an integer from 0 to ${placesMax}`)
      return round(first, Number(places.over))
    }
    default:
      throw bad(`unknown function ${name}; the functions are sum, min, max, abs and round`)
  }
}
