import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assert } from '@skillrun/core/assert.ts'
import type { Grey } from './grey.ts'

/** Tesseract's page segmentation modes (`tessedit_pageseg_mode`). */
export const pageModes = { automatic: 3, block: 6, line: 7, sparse: 11 } as const

export type PageMode = (typeof pageModes)[keyof typeof pageModes]

/** A recognised word, in pixels of the given image; confidence 0 to 100. */
export interface RecognisedWord {
  readonly text: string
  readonly confidence: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Languages whose models ship with the package, as Tesseract names them. */
export type Language = 'eng' | 'deu' | 'fra' | 'spa'

/** One OCR pass over an image. */
export interface Look {
  readonly picture: Grey
  readonly mode: PageMode
  readonly language: Language
}

/** Recognises text in images, one image at a time. */
export interface Recogniser {
  /** Words in reading order. */
  recognise(look: Look): Promise<RecognisedWord[]>
}

/** A recogniser that counts the pixels it processes. */
export interface MeteredRecogniser extends Recogniser {
  /** True while the pixel budget is not used up. A started pass is always finished. */
  hasPixelsLeft(): boolean
}

/** Counts the pixels that a recogniser processes, up to `pixelsMax`. */
export function metered(recogniser: Recogniser, pixelsMax: number): MeteredRecogniser {
  let pixels = 0
  return {
    recognise(look) {
      pixels += look.picture.width * look.picture.height
      return recogniser.recognise(look)
    },
    hasPixelsLeft: () => pixels < pixelsMax,
  }
}

interface TesseractModule {
  readonly FS: { writeFile(name: string, data: Uint8Array): void; unlink(name: string): void }
  readonly TessBaseAPI: new () => TesseractApi
}

interface TesseractApi {
  Init(dataPath: null, languages: string, engineMode: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(exifOrientation: number, angle: number): number
  Recognize(monitor: null): number
  GetJSONText(page: number): string
  Clear(): void
}

type TesseractFactory = (options: { print: () => void; printErr: () => void }) => Promise<TesseractModule>

interface TesseractJson {
  readonly blocks: readonly {
    readonly paragraphs: readonly { readonly lines: readonly { readonly words: readonly TesseractWord[] }[] }[]
  }[]
}

interface TesseractWord {
  readonly text: string
  readonly confidence: number
  readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
}

/** Tesseract's LSTM engine: the only one in the build and in the data. */
const lstmOnly = 1
const require = createRequire(import.meta.url)

let loading: Promise<Recogniser> | undefined

/** Loads Tesseract once per process, and each language on first use (about 90 ms with one). */
export function loadRecogniser(): Promise<Recogniser> {
  loading ??= load()
  return loading
}

async function load(): Promise<Recogniser> {
  const factory = require('tesseract.js-core/tesseract-core-simd-lstm') as TesseractFactory
  const module = await factory({ print: ignore, printErr: ignore })
  const readers = new Map<Language, Promise<TesseractApi>>()
  return {
    recognise: async (look) => {
      const reader = readers.get(look.language) ?? loadLanguage(module, look.language)
      readers.set(look.language, reader)
      return recognise(module, await reader, look)
    },
  }
}

async function loadLanguage(module: TesseractModule, language: Language): Promise<TesseractApi> {
  module.FS.writeFile(`./${language}.traineddata`, gunzipSync(await readFile(languageFile(language))))
  const api = new module.TessBaseAPI()
  assert(api.Init(null, language, lstmOnly) === 0, 'the recogniser accepts its own language data')
  module.FS.unlink(`./${language}.traineddata`)
  return api
}

function languageFile(language: Language): string {
  const folder = path.dirname(require.resolve(`@tesseract.js-data/${language}/package.json`))
  return path.join(folder, '4.0.0_best_int', `${language}.traineddata.gz`)
}

function recognise(module: TesseractModule, api: TesseractApi, { picture, mode }: Look): RecognisedWord[] {
  // A portable greymap needs no compression and decompression.
  const header = Buffer.from(`P5\n${picture.width} ${picture.height}\n255\n`)
  module.FS.writeFile('/input', Buffer.concat([header, picture.pixels]))
  assert(api.SetImageFile(1, 0) === 0, 'the recogniser takes a greymap')
  api.SetVariable('tessedit_pageseg_mode', String(mode))
  api.Recognize(null)
  const page = JSON.parse(api.GetJSONText(0)) as TesseractJson
  api.Clear()
  return page.blocks
    .flatMap((block) => block.paragraphs)
    .flatMap((paragraph) => paragraph.lines)
    .flatMap((line) => line.words)
    .map(({ text, confidence, bbox }) => ({
      text,
      confidence,
      left: bbox.x0,
      top: bbox.y0,
      right: bbox.x1,
      bottom: bbox.y1,
    }))
}

function ignore(): void {}
