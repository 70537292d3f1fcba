/**
 * What stands in a program's world before it: this file is evaluated within, never on our side. All that it uses later is
 * taken here, before the program can change it; the other side checks whatever comes out nevertheless.
 */

/** What the host gives to a world; texts only. */
export interface Outside {
  /** A call of the host: its number, its name, its arguments as a JSON array. */
  readonly send: (id: number, name: string, json: string) => void
  readonly log: (line: string) => void
  readonly finish: (json: string) => void
  readonly fail: (code: string, name: string, message: string, stack: string) => void
}

/** What is set when a world is made. */
export interface WorldTerms {
  readonly names: readonly string[]
  readonly nowMs: number
  readonly valuesMax: number
  readonly depthMax: number
}

/** What the host holds of a world. It is prepared before the program is evaluated, and knows no input until it begins. */
export interface Inside {
  readonly prepare: (terms: string) => void
  readonly begin: (program: unknown, input: string) => void
  readonly settle: (id: number, isGood: boolean, json: string) => void
}

class NoJson extends Error {}

const { stringify, parse } = JSON
const { isArray } = Array
const { keys, create } = Object
const { isFinite: isFiniteNumber } = Number
const textOf = String
const textPrototype = String.prototype
const shortOf = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

export default function within(outside: Outside): Inside {
  let terms: WorldTerms
  let tools: object
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void; at: Error }>()
  let calls = 0
  const call = (name: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      // What is left out at the end is no argument.
      let given = args.length
      while (given > 0 && args[given - 1] === undefined) given -= 1
      const text = stringify(given === 1 ? [plainInput(name, args[0])] : plain(args.slice(0, given), terms))
      // Made here, so that a failure names the line of the call.
      const at = new Error()
      calls += 1
      waiting.set(calls, { resolve, reject, at })
      outside.send(calls, name, text)
    })
  const plainInput = (name: string, input: unknown): unknown => {
    try {
      return plain(input, terms)
    } catch (error) {
      throw error instanceof NoJson ? new Error(`What ${name} is given is no JSON: ${error.message}`) : error
    }
  }
  listen(outside.log)
  return {
    prepare: (json) => {
      terms = parse(json) as WorldTerms
      standStill(terms.nowMs)
      tools = toolsOf(terms.names, call)
    },
    begin: (program, input) => {
      if (typeof program !== 'function') {
        outside.fail('program_result', '', 'The program has no default export that is a function', '')
        return
      }
      const answered = (value: unknown): void => {
        if (value === undefined) {
          outside.fail('program_nothing', '', 'The program returned nothing', '')
          return
        }
        try {
          outside.finish(stringify(plain(value, terms)))
        } catch (error) {
          const [name, message] = wordsOf(error)
          const code = error instanceof NoJson ? 'program_result' : 'program_error'
          outside.fail(
            code,
            name,
            error instanceof NoJson ? `What the program returned is no JSON: ${message}` : message,
            '',
          )
        }
      }
      const failed = (error: unknown): void => outside.fail('program_error', ...wordsOf(error))
      new Promise((resolve) => resolve(program(tools, parse(input)))).then(answered, failed)
    },
    settle: (id, isGood, text) => {
      const one = waiting.get(id)
      if (one === undefined) return
      waiting.delete(id)
      if (isGood) return one.resolve(parse(text))
      one.at.message = text
      one.reject(one.at)
    },
  }
}

/** A plain copy that JSON holds without loss; throws NoJson that names the place of what it does not hold. */
function plain(root: unknown, { valuesMax, depthMax }: WorldTerms): unknown {
  const above = new Set<object>()
  let values = 0
  const copy = (value: unknown, place: string, depth: number): unknown => {
    values += 1
    if (values > valuesMax) throw new NoJson(`it has more than ${valuesMax} values`)
    if (depth > depthMax) throw new NoJson(`it is nested deeper than ${depthMax} levels`)
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'number') {
      if (!isFiniteNumber(value)) throw new NoJson(`${place} is ${textOf(value)}`)
      return value === 0 ? 0 : value
    }
    if (typeof value === 'string') return checkedText(value, place)
    if (typeof value !== 'object')
      throw new NoJson(`${place} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`)
    if (above.has(value)) throw new NoJson(`${place} holds itself`)
    if (value instanceof Date) return copy(value.toISOString(), place, depth)
    for (const kind of [Promise, Map, Set, RegExp, Error])
      if (value instanceof kind) throw new NoJson(`${place} is a ${kind.name}${kind === Promise ? '; await it' : ''}`)
    above.add(value)
    const made = isArray(value) ? copyItems(value, place, depth) : copyMembers(value, place, depth)
    above.delete(value)
    return made
  }
  const copyItems = (items: readonly unknown[], place: string, depth: number): unknown[] => {
    const made: unknown[] = []
    // As in JSON, a place without a value is null.
    for (let at = 0; at < items.length; at += 1) made[at] = copy(items[at] ?? null, `${place}[${at}]`, depth + 1)
    return made
  }
  const copyMembers = (members: object, place: string, depth: number): object => {
    const made = create(null) as Record<string, unknown>
    for (const key of keys(members)) {
      const value = (members as Record<string, unknown>)[key]
      if (key === '__proto__') throw new NoJson(`${place} has a member named __proto__`)
      // As in JSON, a member without a value is none.
      if (value !== undefined) made[checkedText(key, place)] = copy(value, `${place}.${shortOf(key, 50)}`, depth + 1)
    }
    return made
  }
  return copy(root, 'it', 0)
}

function checkedText(text: string, place: string): string {
  if (textPrototype.includes.call(text, '\u0000')) throw new NoJson(`${place} has a NUL character`)
  if (!textPrototype.isWellFormed.call(text)) throw new NoJson(`${place} has half a surrogate pair`)
  return text
}

/** Tools as objects by toolset. A tool that is not there says so by its name. */
function toolsOf(names: readonly string[], call: (name: string, args: readonly unknown[]) => Promise<unknown>): object {
  const sets = create(null) as Record<string, Record<string, unknown>>
  for (const name of names) {
    const [set = '', member = ''] = name.split('.')
    sets[set] ??= create(null) as Record<string, unknown>
    sets[set][member] = (...args: unknown[]) => call(name, args)
  }
  for (const set of keys(sets)) {
    sets[set] = new Proxy(Object.freeze(sets[set] ?? {}), {
      get: (tools, member) => {
        const found = tools[member as string]
        if (found !== undefined || typeof member === 'symbol' || member === 'then' || member === 'toJSON') return found
        throw new Error(`There is no tool ${set}.${shortOf(member, 100)}; there are ${names.join(', ')}`)
      },
    })
  }
  return Object.freeze(sets)
}

/** The console: one line of text for each call. */
function listen(log: (line: string) => void): void {
  const say = (...parts: unknown[]): void => log(parts.map(shown).join(' '))
  const silent = (): void => undefined
  const console = { log: say, info: say, warn: say, error: say, debug: say, trace: say, table: say, dir: say }
  Object.defineProperty(globalThis, 'console', {
    value: { ...console, time: silent, timeEnd: silent, group: silent, groupEnd: silent },
    configurable: true,
    writable: true,
  })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${wordsOf(value)[0]}: ${wordsOf(value)[1]}`
  try {
    const text: unknown = typeof value === 'object' ? stringify(value) : undefined
    return typeof text === 'string' ? text : textOf(value)
  } catch {
    return `(${typeof value})`
  }
}

/** Name, message and stack of whatever was thrown. */
function wordsOf(error: unknown): [name: string, message: string, stack: string] {
  try {
    if (typeof error !== 'object' || error === null)
      return ['', `It threw ${shortOf(textOf(error), 200)}, which is no Error`, '']
    const { name, message, stack } = error as Error
    if (typeof message !== 'string') return ['', `It threw ${shortOf(shown(error), 200)}, which is no Error`, '']
    return [textOf(name), message, textOf(stack ?? '')]
  } catch {
    return ['', 'It threw something that cannot be looked at', '']
  }
}

/** Time that stands still and chance that is the same each time: a program run again does the same. */
function standStill(nowMs: number): void {
  const RealDate = Date
  function FixedDate(this: unknown, ...parts: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(nowMs).toString()
    return Reflect.construct(RealDate, parts.length === 0 ? [nowMs] : parts, new.target as never)
  }
  FixedDate.prototype = RealDate.prototype
  FixedDate.now = () => nowMs
  FixedDate.parse = RealDate.parse
  FixedDate.UTC = RealDate.UTC
  Object.defineProperty(RealDate.prototype, 'constructor', { value: FixedDate, configurable: true, writable: true })
  // biome-ignore lint/suspicious/noExplicitAny: the world's own Date is replaced by one of another type.
  ;(globalThis as any).Date = FixedDate
  // Mulberry32, Tommy Ettinger, public domain.
  let state = 0x9e3779b9
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
