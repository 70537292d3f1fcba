import { fileURLToPath } from 'node:url'
import type { Random } from './random.ts'
import type { Split } from './words/lexicon.ts'

/** The faces of one family: names of the standard 14 fonts, or paths of font files. */
export interface FontFamily {
  readonly regular: string
  readonly bold: string
  readonly italic: string
}

const helvetica: FontFamily = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique' }
const times: FontFamily = { regular: 'Times-Roman', bold: 'Times-Bold', italic: 'Times-Italic' }
const courier: FontFamily = { regular: 'Courier', bold: 'Courier-Bold', italic: 'Courier-Oblique' }
const lato = packaged('lato')
const openSans = packaged('open-sans')
const merriweather = packaged('merriweather')
/** It has no italic. */
const inconsolata: FontFamily = { ...packaged('inconsolata'), italic: fontFile('inconsolata', '400-normal') }

const robotoCondensed = packaged('roboto-condensed')
const robotoMono = packaged('roboto-mono')
/** Only in the kept-out part. */
const ptSerif = packaged('pt-serif')
/** Only in the kept-out part. */
const spaceMono = packaged('space-mono')

export function packaged(family: string): FontFamily {
  return {
    regular: fontFile(family, '400-normal'),
    bold: fontFile(family, '700-normal'),
    italic: fontFile(family, '400-italic'),
  }
}

function fontFile(family: string, cut: string): string {
  return fileURLToPath(import.meta.resolve(`@fontsource/${family}/files/${family}-latin-${cut}.woff`))
}

const tills = {
  train: [
    [3, courier],
    [1, helvetica],
    [0.6, openSans],
    [3, inconsolata],
    [2, robotoMono],
    [1, robotoCondensed],
  ],
  released: [
    [3, robotoMono],
    [2, courier],
    [1.5, robotoCondensed],
    [1, helvetica],
  ],
  'kept-out': [
    [3, spaceMono],
    [2, courier],
    [1, ptSerif],
    [1, helvetica],
  ],
  'kept-out-4': [
    [3, courier],
    [2, helvetica],
    [1, inconsolata],
  ],
} as const satisfies Weighed

const pages = {
  train: [
    [4, helvetica],
    [2, times],
    [1.5, lato],
    [1.5, openSans],
    [0.3, courier],
    [1.5, merriweather],
    [1.5, robotoCondensed],
    [0.3, robotoMono],
  ],
  released: [
    [3, robotoCondensed],
    [3, helvetica],
    [1.5, lato],
    [1, times],
    [0.7, robotoMono],
  ],
  'kept-out': [
    [4, ptSerif],
    [3, helvetica],
    [1, openSans],
    [0.7, spaceMono],
  ],
  'kept-out-4': [
    [5, helvetica],
    [2, times],
    [1, lato],
    [1, openSans],
    [0.5, courier],
  ],
} as const satisfies Weighed

type Weighed = Readonly<Record<Split, readonly (readonly [number, FontFamily])[]>>

export function pickFontFamily(random: Random, use: 'page' | 'till', split: Split): FontFamily {
  return random.weighted<FontFamily>((use === 'till' ? tills : pages)[split])
}
