import { createHash } from 'node:crypto'
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import type { Page, ReadDocument } from './document.ts'

/**
 * The packed form of a document of many pages: gzip of its JSON, in which each page is compressed by itself. To read all of it, `gunzip` is
 * enough. The comment of the first member lists the pages, so that a new version takes over pages of an earlier one, and two versions are
 * compared, without unpacking what they share.
 */

/** What is known of a page without unpacking it. */
interface Listed extends Omit<Page, 'words' | 'rules'> {
  /** The hash of all that the page says, wherever it stands. */
  readonly hash: string
  readonly words: number
  /** The lengths of its two members: where it stands, and what it says. */
  readonly bytes: readonly [place: number, said: number]
}

interface PackedPage {
  readonly hash: string
  readonly words: number
  /** A member: the page as JSON without its first brace and what precedes its other properties. */
  readonly said: Uint8Array
}

/** Pages that are known in packed form. */
const packedForms = new WeakMap<Page, PackedPage>()

const gzip = (text: string): Buffer => gzipSync(text, { level: 1 })

/** Packs a document. Pages that come from `openPages` are taken over as they are. */
export function packPages({ pages, ...document }: ReadDocument): Uint8Array {
  const listed: Listed[] = []
  const members: Uint8Array[] = []
  for (const [at, page] of pages.entries()) {
    const { index, print } = page
    const { hash, words, said } = packedForms.get(page) ?? packPage(page)
    const place = stored(`${at > 0 ? ',' : ''}${JSON.stringify({ index, print }).slice(0, -1)},`)
    members.push(place, said)
    listed.push({ ...besides(page), hash, words, bytes: [place.length, said.length] })
  }
  const facts = `${JSON.stringify(document).slice(0, -1)},"pages":[`
  return Buffer.concat([gzipWithComment(facts, JSON.stringify(listed)), ...members, gzip(']}')])
}

/** A page without its words and rules, which are not read. */
function besides(page: Page): Omit<Page, 'words' | 'rules'> {
  const { index, width, height, source, isTabular, atSeconds, turnedDegrees, lookedAt, print } = page
  return {
    ...{ index, width, height, source, turnedDegrees },
    ...(isTabular && { isTabular }),
    ...(atSeconds !== undefined && { atSeconds }),
    ...(lookedAt && { lookedAt }),
    ...(print !== undefined && { print }),
  }
}

function packPage(page: Page): PackedPage {
  const { index: _index, print: _print, ...said } = page
  const json = JSON.stringify(said)
  const hash = createHash('sha256').update(json).digest('base64')
  return { hash, words: page.words.length, said: gzip(json.slice(1)) }
}

const gzipMagic = [0x1f, 0x8b, 8]
const commentFlag = 0x10
/** Magic, flags, time, extra flags and an unknown operating system. */
const headerBytes = 10
const gzipHeader = Buffer.from([...gzipMagic, commentFlag, 0, 0, 0, 0, 0, 0xff])
const wordBytes = 4

const memberHeader = Buffer.from([...gzipMagic, 0, 0, 0, 0, 0, 0, 0xff])
const lengthBytes = 2

/** A member with a text of less than 64 KB as it is: compressing a few bytes takes longer than everything else that is done for a page. */
function stored(text: string): Buffer {
  const bytes = Buffer.from(text)
  const block = Buffer.alloc(1 + 2 * lengthBytes)
  block.writeUInt8(1)
  block.writeUInt16LE(bytes.length, 1)
  block.writeUInt16LE(0xffff - bytes.length, 1 + lengthBytes)
  return Buffer.concat([memberHeader, block, bytes, endOf(bytes)])
}

function endOf(bytes: Buffer): Buffer {
  const end = Buffer.alloc(2 * wordBytes)
  end.writeUInt32LE(crc32(bytes))
  end.writeUInt32LE(bytes.length % 2 ** 32, wordBytes)
  return end
}

/** RFC 1952. JSON has no zero byte, which ends a comment. */
function gzipWithComment(text: string, comment: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([gzipHeader, Buffer.from(`${comment}\0`), deflateRawSync(bytes, { level: 1 }), endOf(bytes)])
}

/**
 * Opens a document that `packPages` packed: its pages unpack themselves where their words or rules are read. Undefined: it is packed in another way.
 */
export function openPages(packed: Uint8Array): ReadDocument | undefined {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  if (!bytes.subarray(0, headerBytes).equals(gzipHeader)) return undefined
  const listed = JSON.parse(bytes.toString('utf8', headerBytes, bytes.indexOf(0, headerBytes))) as readonly Listed[]
  const ends = listed.map(({ bytes: [place, said] }) => place + said)
  const end = bytes.length - gzip(']}').length
  let at = end - ends.reduce((sum, one) => sum + one, 0)
  const facts = JSON.parse(`${gunzipSync(bytes.subarray(0, at)).toString('utf8')}]}`) as ReadDocument
  const pages = listed.map(({ bytes: [place, said], ...one }) => {
    at += place + said
    return openPage(one, bytes.subarray(at - said, at))
  })
  return { ...facts, pages }
}

function openPage(listed: Omit<Listed, 'bytes'>, said: Uint8Array): Page {
  const { hash, words, ...known } = listed
  let unpacked: Page | undefined
  const whole = (): Page => {
    unpacked ??= JSON.parse(`{${gunzipSync(said).toString('utf8')}`) as Page
    return unpacked
  }
  const page = { ...known } as Page
  for (const name of ['words', 'rules'] as const)
    Object.defineProperty(page, name, { enumerable: true, get: () => whole()[name] })
  packedForms.set(page, { hash, words, said })
  return page
}

/** The page at another place of a document. */
export function movedPage(page: Page, index: number): Page {
  const packed = packedForms.get(page)
  if (!packed) return { ...page, index }
  const { hash, words, said } = packed
  return openPage({ ...besides(page), index, hash, words }, said)
}

/** The number of words of a page, without unpacking it. */
export const wordCount = (page: Page): number => packedForms.get(page)?.words ?? page.words.length

/** A hash of all that a page says, wherever it stands, without unpacking it. */
export const hashOfPage = (page: Page): string => (packedForms.get(page) ?? packPage(page)).hash
