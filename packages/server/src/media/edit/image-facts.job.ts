import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { ImageFacts } from './edit-image.ts'
import { openImageOrPage } from './open-image.ts'

export default async function imageFacts({ path, page }: { path: string; page: number }): Promise<ImageFacts> {
  const opened = await openImageOrPage(path, page)
  const [{ width, height, hasAlpha }, { dominant, channels, entropy, isOpaque }, source] = await Promise.all([
    opened.metadata(),
    opened.stats(),
    sharp(await readFile(path), { limitInputPixels: false })
      .metadata()
      .catch(() => ({ format: 'pdf' })),
  ])
  const colours = channels.slice(0, 3)
  const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0')
  const means = colours.map((channel) => channel.mean)
  const spread = Math.max(...means) - Math.min(...means)
  const rounded = (value: number): number => Math.round(value * 1000) / 1000
  return {
    format: source.format,
    width,
    height,
    hasAlpha: hasAlpha && !isOpaque,
    isGrey: colours.length === 1 || spread < 1,
    dominantColour: `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`,
    brightness: rounded(means.reduce((sum, mean) => sum + mean, 0) / means.length / 255),
    entropy: rounded(entropy),
  }
}
