import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Page, ReadDocument } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import { kinds, layoutNames, makeDocument } from '../documents/document.ts'
import { createRandom, type Random } from '../documents/random.ts'
import { render } from '../documents/render.ts'
import type { Split } from '../documents/words.ts'
import { drawPlain, makeHouse, plainKinds } from './plain-documents.ts'

/** A document of a packet: its pages as read, and its kind in the words of a caller. */
interface Piece {
  readonly kind: string
  readonly pages: readonly Page[]
}

/** Several documents in one, with the 0-based page where each starts. Blank pages between them belong to none. */
export interface Packet {
  readonly id: string
  readonly document: ReadDocument
  readonly recognised: boolean
  readonly pieces: readonly { readonly kind: string; readonly first: number; readonly last: number }[]
}

/** The kinds of documents in packets, as a caller would name them. */
export const kindNames = ['invoice', 'receipt', 'purchase order', 'bank statement', ...plainKinds]

const callerNames: Readonly<Record<string, string>> = { order: 'purchase order', statement: 'bank statement' }

/** Every such packet is of scanned pages. */
const scannedEvery = 6
/** Recognising a page takes seconds, so scanned documents are few, and occur in several packets. */
const scansPerHalf = 8

/**
 * Packets of made documents. Every other sender writes several documents in a row, some packets have blank pages between
 * documents, some are a single document. The halves have other layouts and, but for English, other languages.
 */
export async function* makePackets(
  split: Split,
  { count, cache, only }: { count: number; cache: string; only?: 'text' | 'scanned' | undefined },
): AsyncGenerator<Packet> {
  const scans: Piece[] = []
  for (let n = 0; n < count; n += 1) {
    const random = createRandom(`packet/${split}/${n}`)
    const recognised = n % scannedEvery === scannedEvery - 1
    if (only !== undefined && recognised !== (only === 'scanned')) continue
    if (recognised && scans.length === 0)
      for (let at = 0; at < scansPerHalf; at += 1) scans.push(...(await scannedPieces(split, at, cache)))
    const wanted = random.weighted([1, 1], [2, 2], [3, random.int(3, 5)], [2, random.int(6, 9)])
    const pieces = recognised ? random.sample(scans, wanted) : await drawnPieces(random, split, wanted)
    yield bound(`${split}-${n}`, pieces, { recognised, blanks: random.chance(0.2) })
  }
}

async function drawnPieces(random: Random, split: Split, count: number): Promise<Piece[]> {
  const pieces: Piece[] = []
  let house = makeHouse(random, split)
  while (pieces.length < count) {
    if (random.chance(0.5)) {
      const kind = random.pick(kinds)
      const { pdf } = await makeDocument({ kind, seed: random.int(0, 1_000_000), split })
      pieces.push({ kind: callerNames[kind] ?? kind, pages: (await readDocument({ bytes: pdf })).pages })
      continue
    }
    if (random.chance(0.5)) house = makeHouse(random, split)
    const kind = random.pick(plainKinds)
    pieces.push({ kind, pages: (await readDocument({ bytes: await drawPlain(kind, house, random) })).pages })
  }
  return pieces
}

/** Two scanned documents: one of each generator. */
async function scannedPieces(split: Split, at: number, cache: string): Promise<Piece[]> {
  const random = createRandom(`scan/${split}/${at}`)
  const house = makeHouse(createRandom(`house/${split}/${Math.floor(at / 2)}`), split)
  const plain = random.pick(plainKinds)
  const kind = kinds[at % kinds.length] ?? 'invoice'
  const layout = random.pick(layoutNames(kind, split))
  const seed = random.int(0, 1_000_000)
  return [
    {
      kind: plain,
      pages: await scanned(`${split}-plain-${at}`, cache, seed, () => drawPlain(plain, house, random)),
    },
    {
      kind: callerNames[kind] ?? kind,
      pages: await scanned(`${split}-made-${at}`, cache, seed, async () => {
        const { pdf } = await makeDocument({ kind, seed, split, layout })
        return pdf
      }),
    },
  ]
}

async function scanned(id: string, cache: string, seed: number, draw: () => Promise<Buffer>): Promise<readonly Page[]> {
  const place = join(cache, `${id}.json.gz`)
  if (existsSync(place)) return JSON.parse(gunzipSync(await readFile(place)).toString('utf8')) as readonly Page[]
  const { bytes } = await render(await draw(), 'noisy', seed)
  const { pages } = await readDocument({ bytes })
  await mkdir(cache, { recursive: true })
  await writeFile(place, gzipSync(JSON.stringify(pages)))
  return pages
}

function bound(id: string, pieces: readonly Piece[], { recognised, blanks }: { recognised: boolean; blanks: boolean }) {
  const pages: Page[] = []
  const bounds: { kind: string; first: number; last: number }[] = []
  for (const piece of pieces) {
    const first = pages.length
    for (const page of piece.pages) pages.push({ ...page, index: pages.length })
    bounds.push({ kind: piece.kind, first, last: pages.length - 1 })
    const [model] = piece.pages
    if (blanks && model) pages.push({ ...model, words: [], index: pages.length })
  }
  const document: ReadDocument = { mediaType: 'application/pdf', pageCount: pages.length, pages }
  return { id, document, recognised, pieces: bounds }
}
