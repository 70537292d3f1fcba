import type { Word } from '../document.ts'
import type { Glyph, GlyphPage } from './glyphs.ts'

/** A gap of this many type heights always separates two words. */
const gapAlways = 0.3
/** With a space in the file or inferred by PDFium, this gap is enough; less is kerning or tracking. */
const gapWithBlank = 0.1
/** A vertical or backward step of this many type heights starts a new word. */
const stepAcross = 0.5
const stepBack = 1
/** Ascent and descent of common typefaces in type heights, so that words of one line get boxes of one height. */
const ascent = 0.74
const descent = 0.2
/** The minimum number of evenly spaced single letters that are one letter-spaced word. */
const spacedLettersMin = 4
const spacedGapMax = 0.8

interface Run {
  readonly glyphs: Glyph[]
  /** True when a blank precedes the run's first glyph. */
  readonly afterBlank: boolean
}

/** Groups a page's glyphs into words with boxes as fractions of the displayed page. */
export function wordsOfGlyphs(page: GlyphPage): Word[] {
  const runs = joinSpacedLetters(runsOf(page.glyphs))
  const words: Word[] = []
  for (const run of runs) {
    const word = wordOf(run, page)
    if (word !== undefined) words.push(word)
  }
  return words
}

/** Counts the characters of a page that are neither blank nor unmapped. */
export function readableCharacters(page: GlyphPage): { readable: number; unmapped: number } {
  let readable = 0
  let unmapped = 0
  for (const glyph of page.glyphs) {
    if (glyph.blank !== 'none') continue
    if (glyph.unmapped || (glyph.text > '~' && /[\p{Co}\u{fffd}]/u.test(glyph.text))) unmapped += 1
    else readable += 1
  }
  return { readable, unmapped }
}

function runsOf(glyphs: readonly Glyph[]): Run[] {
  const runs: Run[] = []
  let current: Run | undefined
  let blank: Glyph['blank'] = 'none'
  for (const glyph of glyphs) {
    if (glyph.blank !== 'none') {
      if (blank !== 'written') blank = glyph.blank
      continue
    }
    const last = current?.glyphs.at(-1)
    if (current !== undefined && last !== undefined && !parts(last, glyph, blank)) current.glyphs.push(glyph)
    else {
      current = { glyphs: [glyph], afterBlank: blank !== 'none' }
      runs.push(current)
    }
    blank = 'none'
  }
  return runs
}

/** True when a new word starts between two neighbouring glyphs. */
function parts(before: Glyph, after: Glyph, blank: Glyph['blank']): boolean {
  // A space in the file separates words even where negative tracking closed the gap.
  if (blank === 'written') return true
  const { along, across } = distance(before, after)
  if (before.runX * after.runX + before.runY * after.runY < 0.9) return true
  const height = heightOf(before, after)
  if (Math.abs(across) > stepAcross * height || along < -stepBack * height) return true
  return along > (blank === 'guessed' ? gapWithBlank : gapAlways) * height
}

function heightOf(before: Glyph, after: Glyph): number {
  const ink = Math.max(before.bottom - before.top, after.bottom - after.top)
  const size = Math.max(before.size, after.size)
  return size > 0 && size < 4 * ink ? size : Math.max(ink, 1)
}

/** The gap between two glyphs along the line, by ink or by advance, whichever is smaller; and the distance of their baselines. */
function distance(before: Glyph, after: Glyph): { along: number; across: number } {
  const { runX, runY } = before
  const across = (after.originX - before.originX) * -runY + (after.originY - before.originY) * runX
  const ink = nearEnd(after, runX, runY) - farEnd(before, runX, runY)
  // In monospaced type a dot has a cell as wide as a letter, so only advances show the gap.
  const cells = (after.originX - before.originX) * runX + (after.originY - before.originY) * runY - before.advance
  const isUpright = Math.abs(runX) > 0.99 && before.advance > 0
  return { along: isUpright && cells > -stepBack * before.size ? Math.min(ink, cells) : ink, across }
}

/** Where the ink of a glyph begins along a direction. */
const nearEnd = ({ left, right, top, bottom }: Glyph, runX: number, runY: number): number =>
  Math.min(left * runX, right * runX) + Math.min(top * runY, bottom * runY)

/** Where it ends. */
const farEnd = ({ left, right, top, bottom }: Glyph, runX: number, runY: number): number =>
  Math.max(left * runX, right * runX) + Math.max(top * runY, bottom * runY)

/** Joins `I N V O I C E` into one word when single letters are evenly spaced on one line. */
function joinSpacedLetters(runs: readonly Run[]): Run[] {
  const joined: Run[] = []
  for (let start = 0; start < runs.length; ) {
    const end = spacedUntil(runs, start)
    const [first, ...others] = runs.slice(start, end)
    if (first === undefined) break
    joined.push(others.length === 0 ? first : { ...first, glyphs: [first, ...others].flatMap((run) => run.glyphs) })
    start = end
  }
  return joined
}

/** The index after the last run of the letter-spaced word that starts at `start`, or `start + 1`. */
function spacedUntil(runs: readonly Run[], start: number): number {
  const first = singleLetter(runs[start])
  if (first === undefined) return start + 1
  let end = start + 1
  let before = first
  let narrowest = Number.POSITIVE_INFINITY
  let widest = 0
  for (; end < runs.length; end += 1) {
    const next = singleLetter(runs[end])
    if (next === undefined) break
    const height = heightOf(before, next)
    const { along, across } = distance(before, next)
    if (along < 0 || along > spacedGapMax * height || Math.abs(across) > 0.1 * height) break
    if (Math.max(widest, along) > 1.8 * Math.min(narrowest, along) + 0.1 * height) break
    narrowest = Math.min(narrowest, along)
    widest = Math.max(widest, along)
    before = next
  }
  return end - start >= spacedLettersMin ? end : start + 1
}

function singleLetter(run: Run | undefined): Glyph | undefined {
  const glyph = run?.glyphs.length === 1 ? run.glyphs[0] : undefined
  return glyph !== undefined && /^\p{L}$/u.test(glyph.text) ? glyph : undefined
}

/** Type 3 and broken fonts report arbitrary sizes; dots and dashes have little ink at any size. */
function sizeFitsInk({ text, size, top, bottom }: Glyph): boolean {
  return size > 0 && (size < 3 * (bottom - top) || (size < 40 && /^[\p{P}\p{S}]$/u.test(text)))
}

function wordOf(run: Run, page: GlyphPage): Word | undefined {
  const first = run.glyphs[0]
  if (first === undefined) return undefined
  let left = Number.POSITIVE_INFINITY
  let top = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  let bottom = Number.NEGATIVE_INFINITY
  let text = ''
  for (const glyph of run.glyphs) {
    text += glyph.text
    left = Math.min(left, glyph.left)
    right = Math.max(right, glyph.right)
    top = Math.min(top, glyph.top)
    bottom = Math.max(bottom, glyph.bottom)
    if (first.runX > 0.99 && sizeFitsInk(glyph)) {
      top = Math.min(top, glyph.originY - ascent * glyph.size)
      bottom = Math.max(bottom, glyph.originY + descent * glyph.size)
    }
  }
  left = Math.max(0, left)
  top = Math.max(0, top)
  right = Math.min(page.width, right)
  bottom = Math.min(page.height, bottom)
  if (!(right > left && bottom > top)) return undefined
  return {
    text: text.normalize('NFC'),
    box: [left / page.width, top / page.height, (right - left) / page.width, (bottom - top) / page.height],
    confidence: 1,
  }
}
