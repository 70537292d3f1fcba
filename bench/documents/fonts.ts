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

export function pickFontFamily(random: Random, use: 'page' | 'till', split: Split): FontFamily {
  if (use === 'till')
    return random.weighted([
      [3, courier],
      [1, helvetica],
    ])
  return random.weighted(
    split === 'train'
      ? [
          [4, helvetica],
          [2, times],
          [0.4, courier],
        ]
      : [
          [3, helvetica],
          [2, times],
        ],
  )
}
