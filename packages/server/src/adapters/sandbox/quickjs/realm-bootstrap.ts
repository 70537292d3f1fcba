/**
 * The bootstrap code of a realm: it is evaluated inside QuickJS before the program, never on the host. It captures the
 * builtins that it uses later before the program can change them; the host checks everything that it receives anyway.
 */

/** Functions of the host that a realm can call, with strings only. */
export interface HostApi {
  /** A tool call: its number, its name, its arguments as a JSON array. */
  readonly send: (id: number, name: string, json: string) => void
  readonly log: (line: string) => void
  readonly finish: (json: string) => void
  readonly fail: (code: string, name: string, message: string, stack: string) => void
}

/** Options that are set once per realm. */
export interface RealmOptions {
  readonly names: readonly string[]
  readonly nowMs: number
  readonly valuesMax: number
  readonly depthMax: number
}

/** Functions of the realm that the host calls. `prepare` runs before the program is evaluated; only `begin` gets the input. */
export interface GuestApi {
  readonly prepare: (options: string) => void
  readonly begin: (program: unknown, input: string) => void
  readonly settle: (id: number, isGood: boolean, json: string) => void
}

/** The value has no JSON form. The message names the place in the value. */
class NoJson extends Error {}

const { stringify, parse } = JSON
const { isArray } = Array
const { keys, create } = Object
const { isFinite: isFiniteNumber } = Number
const textOf = String
const textPrototype = String.prototype
const shortOf = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

export default function createGuestApi(host: HostApi): GuestApi {
  let options: RealmOptions
  let tools: object
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void; at: Error }>()
  let calls = 0
  const call = (name: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      // Trailing undefined arguments are dropped.
      let given = args.length
      while (given > 0 && args[given - 1] === undefined) given -= 1
      const text = stringify(given === 1 ? [plainInput(name, args[0])] : plain(args.slice(0, given), options))
      // Created here so that a failure has the stack of the call.
      const at = new Error()
      calls += 1
      waiting.set(calls, { resolve, reject, at })
      host.send(calls, name, text)
    })
  const plainInput = (name: string, input: unknown): unknown => {
    try {
      return plain(input, options)
    } catch (error) {
      throw error instanceof NoJson ? new Error(`The argument of ${name} is not JSON: ${error.message}`) : error
    }
  }
  installConsole(host.log)
  return {
    prepare: (json) => {
      options = parse(json) as RealmOptions
      fixClockAndRandom(options.nowMs)
      tools = toolsOf(options.names, call)
    },
    begin: (program, input) => {
      if (typeof program !== 'function') {
        host.fail('program_result', '', 'The program must export a function as its default export', '')
        return
      }
      const answered = (value: unknown): void => {
        if (value === undefined) {
          host.fail('program_nothing', '', 'The program returned nothing', '')
          return
        }
        try {
          host.finish(stringify(plain(value, options)))
        } catch (error) {
          const [name, message] = wordsOf(error)
          const code = error instanceof NoJson ? 'program_result' : 'program_error'
          host.fail(
            code,
            name,
            error instanceof NoJson ? `The value that the program returned is not JSON: ${message}` : message,
            '',
          )
        }
      }
      const failed = (error: unknown): void => host.fail('program_error', ...wordsOf(error))
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

/** A deep copy that JSON can represent without loss. Throws NoJson, naming the place, for anything else. */
function plain(root: unknown, { valuesMax, depthMax }: RealmOptions): unknown {
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
    if (typeof value === 'string') return checkedString(value, place)
    if (typeof value !== 'object')
      throw new NoJson(`${place} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`)
    if (above.has(value)) throw new NoJson(`${place} contains itself`)
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
    // As in JSON.stringify, a hole or undefined becomes null.
    for (let at = 0; at < items.length; at += 1) made[at] = copy(items[at] ?? null, `${place}[${at}]`, depth + 1)
    return made
  }
  const copyMembers = (members: object, place: string, depth: number): object => {
    const made = create(null) as Record<string, unknown>
    for (const key of keys(members)) {
      const value = (members as Record<string, unknown>)[key]
      if (key === '__proto__') throw new NoJson(`${place} has a member named __proto__`)
      // As in JSON.stringify, a member that is undefined is left out.
      if (value !== undefined) made[checkedString(key, place)] = copy(value, `${place}.${shortOf(key, 50)}`, depth + 1)
    }
    return made
  }
  return copy(root, 'it', 0)
}

function checkedString(text: string, place: string): string {
  if (textPrototype.includes.call(text, '\u0000')) throw new NoJson(`${place} has a NUL character`)
  if (!textPrototype.isWellFormed.call(text)) throw new NoJson(`${place} has an unpaired surrogate`)
  return text
}

/** Tools grouped by toolset: `tools.document.read`. Reading an unknown tool throws an error that lists the known ones. */
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

/** Replaces the console: each call logs one line of text. */
function installConsole(log: (line: string) => void): void {
  const write = (...parts: unknown[]): void => log(parts.map(shown).join(' '))
  const silent = (): void => undefined
  const console = {
    log: write,
    info: write,
    warn: write,
    error: write,
    debug: write,
    trace: write,
    table: write,
    dir: write,
  }
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

/** Name, message and stack of a thrown value. */
function wordsOf(error: unknown): [name: string, message: string, stack: string] {
  try {
    if (typeof error !== 'object' || error === null)
      return ['', `It threw ${shortOf(textOf(error), 200)}, which is not an Error`, '']
    const { name, message, stack } = error as Error
    if (typeof message !== 'string') return ['', `It threw ${shortOf(shown(error), 200)}, which is not an Error`, '']
    return [textOf(name), message, textOf(stack ?? '')]
  } catch {
    return ['', 'It threw a value that cannot be inspected', '']
  }
}

/** Fixes the clock and seeds `Math.random`: a program that runs again gets the same values. */
function fixClockAndRandom(nowMs: number): void {
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
  // biome-ignore lint/suspicious/noExplicitAny: the realm's own Date is replaced by one of another type.
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
