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

/** Only in the kept-out part. */
const robotoCondensed = packaged('roboto-condensed')
/** Only in the kept-out part. */
const robotoMono = packaged('roboto-mono')

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

export function pickFontFamily(random: Random, use: 'page' | 'till', split: Split): FontFamily {
  if (use === 'till') {
    if (split === 'kept-out')
      return random.weighted([
        [3, robotoMono],
        [2, courier],
        [1.5, robotoCondensed],
        [1, helvetica],
      ])
    const common = [
      [3, courier],
      [1, helvetica],
      [0.6, openSans],
    ] as const
    return random.weighted([...common, [3, inconsolata] as const])
  }
  if (split === 'kept-out')
    return random.weighted([
      [3, robotoCondensed],
      [3, helvetica],
      [1.5, lato],
      [1, times],
      [0.7, robotoMono],
    ])
  const common = [
    [4, helvetica],
    [2, times],
    [1.5, lato],
    [1.5, openSans],
    [0.3, courier],
  ] as const
  return random.weighted([...common, [split === 'train' ? 1.5 : 4, merriweather] as const])
}
