import type { Grey } from './grey.ts'

/** The side of a tile as a share of the image's shorter side: wider than letters, narrower than a shadow. */
const tileShare = 1 / 16
const tileMin = 16
/** The percentiles of a tile's pixels that are taken as paper and as ink. */
const paperShare = 0.85
const inkShare = 0.02
/** The minimum difference between paper and ink in steps of 256; smaller differences are paper grain. */
const contrastMin = 48
/** Grain this many standard deviations below the mean still counts as paper. */
const grainBelowPaper = 1.5
/** The minimum difference between paper and ink in standard deviations of the grain. */
const grainContrast = 6
/** Standard deviations between the median and the `paperShare` percentile of normally distributed grain. */
const grainAtPaperShare = 1.036
/** The minimum paper brightness: a black box has no paper to be raised to white. */
const paperMin = 60

/** The brightness of paper and ink per tile. */
interface Tiles {
  readonly tile: number
  readonly columns: number
  readonly rows: number
  readonly paper: Float32Array
  readonly ink: Float32Array
}

/** Percentiles of each tile. */
interface Counted {
  readonly bright: Float32Array
  readonly middle: Float32Array
  readonly dark: Float32Array
}

/**
 * Stretches the contrast of an image tile by tile between paper and ink, so that shadows, grey paper, uneven light and
 * faint print become black on white. The paper of a tile is a high percentile of its pixels, the ink a low one, both
 * smoothed over neighbouring tiles. Paper grain becomes white where it is uniform across the image.
 */
export function evenContrast(picture: Grey): Grey {
  const { width, height, pixels } = picture
  const { tile, columns, rows, paper, ink } = tilesOf(picture)
  const even = new Uint8Array(width * height)
  const rowPaper = new Float32Array(columns)
  const rowInk = new Float32Array(columns)
  for (let y = 0; y < height; y += 1) {
    const at = clamp((y + 0.5) / tile - 0.5, rows - 1)
    const above = Math.floor(at)
    const below = Math.min(rows - 1, above + 1)
    for (let column = 0; column < columns; column += 1) {
      const from = above * columns + column
      const to = below * columns + column
      rowPaper[column] = mix(paper[from] ?? 255, paper[to] ?? 255, at - above)
      rowInk[column] = mix(ink[from] ?? 0, ink[to] ?? 0, at - above)
    }
    stretchRow({ pixels, even, start: y * width, width }, { rowPaper, rowInk, tile })
  }
  return { width, height, pixels: even }
}

function stretchRow(
  { pixels, even, start, width }: { pixels: Uint8Array; even: Uint8Array; start: number; width: number },
  { rowPaper, rowInk, tile }: { rowPaper: Float32Array; rowInk: Float32Array; tile: number },
): void {
  const last = rowPaper.length - 1
  for (let x = 0; x < width; x += 1) {
    const at = clamp((x + 0.5) / tile - 0.5, last)
    const left = Math.floor(at)
    const right = Math.min(last, left + 1)
    const white = mix(rowPaper[left] ?? 255, rowPaper[right] ?? 255, at - left)
    const black = mix(rowInk[left] ?? 0, rowInk[right] ?? 0, at - left)
    const value = (((pixels[start + x] ?? 0) - black) * 255) / (white - black)
    even[start + x] = Math.max(0, Math.min(255, value))
  }
}

function tilesOf(picture: Grey): Tiles {
  const { width, height } = picture
  const tile = Math.max(tileMin, Math.round(Math.min(width, height) * tileShare))
  const columns = Math.ceil(width / tile)
  const rows = Math.ceil(height / tile)
  const { bright, middle, dark } = countTiles(picture, { tile, columns, rows })
  const grain = grainOf(bright, middle)
  const paper = bright.map((value) => Math.max(paperMin, value - grain * (grainAtPaperShare + grainBelowPaper)))
  const contrast = Math.max(contrastMin, grain * grainContrast)
  const ink = paper.map((value, index) => Math.min(value - contrast, dark[index] ?? 0))
  return { tile, columns, rows, paper: smooth(paper, columns, rows), ink: smooth(ink, columns, rows) }
}

function countTiles(
  { width, height, pixels }: Grey,
  { tile, columns, rows }: { tile: number; columns: number; rows: number },
): Counted {
  const bright = new Float32Array(columns * rows)
  const middle = new Float32Array(columns * rows)
  const dark = new Float32Array(columns * rows)
  const histogram = new Uint32Array(256)
  // Every second pixel in each direction is enough for the percentiles.
  const step = 2
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      histogram.fill(0)
      let count = 0
      for (let y = row * tile; y < Math.min(height, (row + 1) * tile); y += step) {
        for (let x = column * tile; x < Math.min(width, (column + 1) * tile); x += step) {
          const value = pixels[y * width + x] ?? 255
          histogram[value] = (histogram[value] ?? 0) + 1
          count += 1
        }
      }
      const index = row * columns + column
      bright[index] = percentile(histogram, count * paperShare)
      middle[index] = percentile(histogram, count * 0.5)
      dark[index] = percentile(histogram, count * inkShare)
    }
  }
  return { bright, middle, dark }
}

/**
 * The standard deviation of paper grain, from the difference between the median and the bright percentile of most
 * tiles, since more than half of most tiles is paper. Scaling an image up makes its grain coarser but hardly weaker by
 * this measure.
 */
function grainOf(bright: Float32Array, middle: Float32Array): number {
  const spreads = bright.map((value, index) => value - (middle[index] ?? value)).sort()
  return (spreads[Math.floor(spreads.length / 2)] ?? 0) / grainAtPaperShare
}

function percentile(histogram: Uint32Array, wanted: number): number {
  let seen = 0
  for (let value = 0; value < 255; value += 1) {
    seen += histogram[value] ?? 0
    if (seen >= wanted) return value
  }
  return 255
}

/** The mean of each tile and its neighbours. */
function smooth(tiles: Float32Array, columns: number, rows: number): Float32Array {
  return tiles.map((_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    let sum = 0
    let count = 0
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
        sum += tiles[y * columns + x] ?? 255
        count += 1
      }
    }
    return sum / count
  })
}

function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(0, value))
}
