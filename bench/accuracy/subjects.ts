import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../packages/core/src/fault.ts'
import type { Json, JsonSchema } from '../../packages/core/src/json.ts'
import { extract } from '../../packages/reader/src/extract/extract.ts'
import type { ReadDocument } from '../../packages/reader/src/media/document.ts'
import { readDocument } from '../../packages/reader/src/media/read-document.ts'
import { riskOf } from '../../packages/reader/src/score/risk.ts'
import { type Kind, type MadeDocument, makeDocument } from '../../packages/reader/training/documents/document.ts'
import { type Rendered, render, type Variant } from '../../packages/reader/training/documents/render.ts'
import type { Split } from '../../packages/reader/training/documents/words.ts'

/** One document in one variant with the engine's answer. */
export interface Outcome {
  readonly made: MadeDocument
  readonly variant: Variant
  readonly answer: Json
  /** The error of the reader or engine, if any; the answer is then null. */
  readonly refusal: string | null
  readonly readMs: number
  readonly extractMs: number
}

export interface Question {
  readonly kind: Kind
  readonly seed: number
  readonly split: Split
  readonly variant: Variant
  readonly layout?: string
}

/** Generates a document and runs the product's reader and engine on it, in this process. */
export async function ask({ variant, ...choice }: Question): Promise<Outcome> {
  const made = await makeDocument(choice)
  const rendered: Rendered =
    variant === 'pdf' ? { bytes: made.pdf, mediaType: 'application/pdf' } : await render(made.pdf, variant, choice.seed)
  return { made, variant, ...(await readAndExtract(rendered.bytes, made.schema)) }
}

type Reply = Pick<Outcome, 'answer' | 'refusal' | 'readMs' | 'extractMs'>

/** Reads bytes and extracts by the schema. An error of either counts as an answer of null and does not end the benchmark. */
export async function readAndExtract(bytes: Buffer, schema: JsonSchema): Promise<Reply> {
  const started = performance.now()
  let document: ReadDocument
  try {
    document = await readBytes(bytes)
  } catch (error) {
    return { answer: null, refusal: wordsOf(error), readMs: performance.now() - started, extractMs: 0 }
  }
  return { ...extractFrom(document, schema), readMs: performance.now() - started }
}

/** The answer as the service gives it to a request that names no `max_wrong_rate`. */
export function extractFrom(document: ReadDocument, schema: JsonSchema): Omit<Reply, 'readMs'> {
  const started = performance.now()
  try {
    const request = { documents: [{ input: 'document', document }], values: {}, schema, risk: riskOf(undefined) }
    const { answer } = extract(request)
    return { answer, refusal: null, extractMs: performance.now() - started }
  } catch (error) {
    return { answer: null, refusal: wordsOf(error), extractMs: performance.now() - started }
  }
}

async function readBytes(bytes: Buffer): Promise<ReadDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'accuracy-'))
  try {
    const path = join(folder, 'document')
    await writeFile(path, bytes)
    return await readDocument({ path })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const wordsOf = (error: unknown) =>
  error instanceof Fault ? error.code : error instanceof Error ? `${error.name}: ${error.message}` : String(error)
