import { fileURLToPath } from 'node:url'
import type { Random } from './random.ts'
import type { Split } from './words.ts'

/** The faces of a font family: names of the standard 14 fonts, or paths of font files. */
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
/** The family has no italic. */
const inconsolata: FontFamily = { ...packaged('inconsolata'), italic: fontFile('inconsolata', '400-normal') }

const robotoCondensed = packaged('roboto-condensed')
const robotoMono = packaged('roboto-mono')
/** Kept-out part only. */
const ptSerif = packaged('pt-serif')
/** Kept-out part only. */
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

type Pick = (random: Random) => FontFamily

const anyOf =
  (...families: readonly (readonly [number, FontFamily])[]): Pick =>
  (random) =>
    random.weighted(...families)

const picks: Readonly<Record<'page' | 'roll', Readonly<Record<Split, Pick>>>> = {
  roll: {
    train: anyOf(
      [3, courier],
      [1, helvetica],
      [0.6, openSans],
      [3, inconsolata],
      [2, robotoMono],
      [1, robotoCondensed],
    ),
    'kept-out': anyOf([3, spaceMono], [2, courier], [1, ptSerif], [1, helvetica]),
  },
  page: {
    train: anyOf(
      [4, helvetica],
      [2, times],
      [1.5, lato],
      [1.5, openSans],
      [1.5, merriweather],
      [1.5, robotoCondensed],
      [0.3, courier],
      [0.3, robotoMono],
    ),
    'kept-out': anyOf([4, ptSerif], [3, helvetica], [1, openSans], [0.7, spaceMono]),
  },
}

export const pickFontFamily = (random: Random, paper: 'page' | 'roll', split: Split): FontFamily =>
  picks[paper][split](random)
