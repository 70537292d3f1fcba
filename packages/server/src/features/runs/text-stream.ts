import { legible } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'

const channel = 'skillrun_said'
/** Shortest interval between two notifications: readers see no difference, the database does. */
const togetherMs = 40
/** A notification of the database holds 8,000 bytes; an escaped character takes at most six. */
const charactersMax = 1_000

/** A piece of the text of a reply, and the position of its first character. */
export interface Piece {
  readonly from: number
  readonly text: string
}

/** Streams the text of runs while they produce it, on whatever machine. */
export interface TextStreams {
  /**
   * Calls `hear` with each piece of the reply of the execution of this `executionKey` until the returned function is called. Pieces may be
   * missing, after a lost connection or a run that started again: the recorded reply is authoritative.
   */
  watch(key: string, hear: (piece: Piece) => void): () => void
  close(): Promise<void>
}

/** Listens for the text of runs. */
export async function listenForText(db: Db): Promise<TextStreams> {
  const watching = new Map<string, Set<(piece: Piece) => void>>()
  const close = await db.listen(channel, (payload) => {
    const { key, from, text } = JSON.parse(payload) as Piece & { key: string }
    for (const hear of watching.get(key) ?? []) hear({ from, text })
  })
  return {
    watch(key, hear) {
      const hears = watching.get(key) ?? new Set()
      hears.add(hear)
      watching.set(key, hears)
      return () => {
        hears.delete(hear)
        if (hears.size === 0 && watching.get(key) === hears) watching.delete(key)
      }
    },
    close,
  }
}

/** Splits a text into pieces that fit one notification, never inside a character. */
export function* piecesOf(text: string): Generator<string> {
  for (let begin = 0; begin < text.length; ) {
    const end = begin + charactersMax
    const isSplit = end < text.length && isHighSurrogate(text.charCodeAt(end - 1))
    const piece = text.slice(begin, isSplit ? end - 1 : end)
    yield piece
    begin += piece.length
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Sends the text of a reply while it is produced. */
export interface TextStream {
  say(piece: string): void
  /** Resolves when everything was sent. */
  end(): Promise<void>
}

/**
 * Opens the text stream of a run of the execution of this `executionKey`, whose reply already has `from` characters. Pieces that cannot be
 * sent are left to the recorded reply.
 */
export function openTextStream(sql: Sql, key: string, from: number): TextStream {
  let at = from
  let pending = ''
  // Readers wait for the first text, so it goes out at once.
  let waitMs = 0
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  const flush = (isEnd = false) => {
    timer = undefined
    // The second half of a surrogate pair comes with the next piece.
    const whole =
      !isEnd && isHighSurrogate(pending.charCodeAt(pending.length - 1)) ? pending.length - 1 : pending.length
    const text = pending.slice(0, whole)
    pending = pending.slice(whole)
    telling = telling.then(async () => {
      for (const piece of piecesOf(text)) {
        // As the reply will be recorded.
        const payload = JSON.stringify({ key, from: at, text: legible(piece) })
        at += piece.length
        await sql.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {})
      }
    })
  }
  return {
    say(piece) {
      pending += piece
      timer ??= setTimeout(() => flush(), waitMs)
      waitMs = togetherMs
    },
    async end() {
      clearTimeout(timer)
      flush(true)
      await telling
    },
  }
}
