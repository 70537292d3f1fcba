import { setImmediate as otherRequestsFirst } from 'node:timers/promises'

/** Text that is made at once: others are served between one piece and the next. */
const pieceCharacters = 128 * 1024

/**
 * As `jsonb`, for an object that may be as large as a request: its members, and their members, are written one by one, and
 * others are served between them. Members without a value are left out, as JSON does.
 */
export async function largeJsonb(value: Readonly<Record<string, unknown>>): Promise<string> {
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${await memberJson(member)}`)
  }
  const text = `{${members.join(',')}}`
  // Sending it takes as long as writing it.
  if (text.length > pieceCharacters) await otherRequestsFirst()
  return text
}

async function memberJson(member: unknown): Promise<string> {
  const isArray = Array.isArray(member)
  if (typeof member !== 'object' || member === null || (!isArray && Object.getPrototypeOf(member) !== Object.prototype))
    return JSON.stringify(member)
  const pieces: string[] = []
  let characters = 0
  for (const [name, item] of Object.entries(member)) {
    const text = JSON.stringify(item) as string | undefined
    if (text === undefined && !isArray) continue
    pieces.push(isArray ? (text ?? 'null') : `${JSON.stringify(name)}:${text}`)
    characters += text?.length ?? 0
    if (characters < pieceCharacters) continue
    characters = 0
    await otherRequestsFirst()
  }
  return isArray ? `[${pieces.join(',')}]` : `{${pieces.join(',')}}`
}
