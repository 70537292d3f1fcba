import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import type { Json } from '@skillrun/core/json.ts'

/** Characters that are parsed before other requests get a turn. */
const pieceCharacters = 64 * 1024
/** Characters that are scanned for the end of a member before other requests get a turn. */
const scanCharacters = 256 * 1024

/** Whether parsing a text takes so long that it should yield to other requests. */
export const isLargeJson = (text: string): boolean => text.length > 2 * pieceCharacters

/** As JSON.parse, yielding to other requests while a large text is parsed. */
export async function parseJsonInTurns(text: string): Promise<Json> {
  return isLargeJson(text) ? new LargeText(text).parse(0, text.length) : (JSON.parse(text) as Json)
}

class LargeText {
  readonly #text: string
  #scanned = 0

  constructor(text: string) {
    this.#text = text
  }

  async parse(from: number, to: number): Promise<Json> {
    const start = this.#skipSpace(from)
    const opening = this.#text[start]
    const isSmall = to - start <= pieceCharacters
    if (isSmall || (opening !== '[' && opening !== '{')) {
      const value = JSON.parse(this.#text.slice(start, to)) as Json
      if (!isSmall) await otherRequestsFirst()
      return value
    }
    return opening === '[' ? this.#parseArray(start, to) : this.#parseObject(start, to)
  }

  async #parseArray(start: number, to: number): Promise<Json> {
    const items: Json[] = []
    for await (const { from, to: memberEnd, isAlone } of this.#pieces(start, to)) {
      if (isAlone) items.push(await this.parse(from, memberEnd))
      else for (const item of JSON.parse(`[${this.#text.slice(from, memberEnd)}]`) as Json[]) items.push(item)
    }
    return items
  }

  async #parseObject(start: number, to: number): Promise<Json> {
    const object: Record<string, Json> = {}
    for await (const { from, to: memberEnd, isAlone } of this.#pieces(start, to)) {
      if (isAlone) {
        const begin = this.#skipSpace(from)
        const end = this.#endOfText(begin)
        const name = JSON.parse(this.#text.slice(begin, end)) as string
        const colon = this.#skipSpace(end)
        if (this.#text[colon] !== ':') throw new SyntaxError('a name in the JSON text has no value')
        setMember(object, name, await this.parse(colon + 1, memberEnd))
      } else {
        const members = JSON.parse(`{${this.#text.slice(from, memberEnd)}}`) as Record<string, Json>
        for (const name of Object.keys(members)) setMember(object, name, members[name] as Json)
      }
    }
    return object
  }

  /** The members of a container in pieces: several small ones together, or a large one alone (`isAlone`). */
  async *#pieces(start: number, to: number): AsyncGenerator<{ from: number; to: number; isAlone: boolean }> {
    let from = start + 1
    let member = from
    for (;;) {
      const { end, isLast } = await this.#endOfMember(member)
      const isAlone = end - member > pieceCharacters
      if (isAlone && member > from) {
        if (this.#skipSpace(from) >= member - 1) throw lacksMember()
        yield { from, to: member - 1, isAlone: false }
      }
      if (isAlone) from = member
      if (isAlone || isLast || end - from > pieceCharacters) {
        const isEmpty = this.#skipSpace(from) >= end
        if (!isEmpty) yield { from, to: end, isAlone }
        else if (!isLast || from > start + 1) throw lacksMember()
        await otherRequestsFirst()
        from = end + 1
      }
      if (isLast) return this.#expectEnd(start, end, to)
      member = end + 1
    }
  }

  #expectEnd(start: number, end: number, to: number): void {
    const isRight = this.#text[end] === (this.#text[start] === '[' ? ']' : '}')
    if (!isRight || this.#skipSpace(end + 1) < to)
      throw new SyntaxError('a container of the JSON text is not closed correctly')
  }

  /** The end of a member: the comma after it, or the end of its container. */
  async #endOfMember(from: number): Promise<{ end: number; isLast: boolean }> {
    let depth = 0
    for (let at = from; ; at += 1) {
      if (at - this.#scanned > scanCharacters) {
        this.#scanned = at
        await otherRequestsFirst()
      }
      switch (this.#text.charCodeAt(at)) {
        case quote:
          at = this.#endOfText(at) - 1
          break
        case openBracket:
        case openBrace:
          depth += 1
          break
        case closeBracket:
        case closeBrace:
          if (depth === 0) return { end: at, isLast: true }
          depth -= 1
          break
        case comma:
          if (depth === 0) return { end: at, isLast: false }
      }
      if (at >= this.#text.length) throw new SyntaxError('the JSON text ends too early')
    }
  }

  /** The position after the closing quote of a string. */
  #endOfText(opening: number): number {
    let end = this.#text.indexOf('"', opening + 1)
    while (end >= 0 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1)
    if (end < 0) throw new SyntaxError('a string in the JSON text is not closed')
    return end + 1
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0
    while (this.#text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
    return backslashes % 2 === 1
  }

  #skipSpace(from: number): number {
    let at = from
    while (isSpace(this.#text.charCodeAt(at))) at += 1
    return at
  }
}

const lacksMember = (): SyntaxError => new SyntaxError('a member is missing in the JSON text')

/** Like JSON.parse, treats `__proto__` as an ordinary member. */
function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

const [quote, openBracket, closeBracket, openBrace, closeBrace, comma, backslash] = [...'"[]{},\\'].map((one) =>
  one.charCodeAt(0),
) as [number, number, number, number, number, number, number]

/** White space of JSON (RFC 8259, section 2). */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
