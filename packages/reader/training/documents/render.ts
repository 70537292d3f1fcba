import { PDFiumLibrary } from '@hyzyla/pdfium'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { createRandom, type Random } from './random.ts'

/** How a document reaches the reader: with its text layer, as a clean scan, or as a noisy scan. */
export const variants = ['pdf', 'scan', 'noisy'] as const
export type Variant = (typeof variants)[number]

export interface Rendered {
  readonly bytes: Buffer
  readonly mediaType: 'application/pdf' | 'image/png' | 'image/jpeg'
}

interface Picture {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly dotsPerInch: number
}

/**
 * The document's pages as images: one PNG or JPEG for one page, a PDF of images for several. `scan` is clean at 200 to
 * 300 dpi; `noisy` has 150 to 200 dpi, a skew of half a degree to three, blur, grain, uneven light and strong
 * compression. Deterministic by seed.
 */
export async function render(pdf: Buffer, variant: Exclude<Variant, 'pdf'>, seed: number): Promise<Rendered> {
  const random = createRandom(`${variant}/${seed}`)
  const dotsPerInch = variant === 'scan' ? random.pick([200, 250, 300]) : random.pick([150, 175, 200])
  const pages = await drawPages(pdf, dotsPerInch)
  const finish = variant === 'scan' ? scanned : spoilt
  const pictures: Buffer[] = []
  for (const page of pages) pictures.push(await finish(page, random, pages.length > 1))
  const [only] = pictures
  if (only !== undefined && pictures.length === 1)
    return { bytes: only, mediaType: variant === 'scan' ? 'image/png' : 'image/jpeg' }
  return { bytes: await bind(pictures, dotsPerInch), mediaType: 'application/pdf' }
}

async function drawPages(pdf: Buffer, dotsPerInch: number): Promise<Picture[]> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(pdf)
    const pictures: Picture[] = []
    for (const page of document.pages()) {
      const { data, width, height } = await page.render({ scale: dotsPerInch / 72, render: 'bitmap' })
      pictures.push({ data: Buffer.from(data), width, height, dotsPerInch })
    }
    document.destroy()
    return pictures
  } finally {
    library.destroy()
  }
}

const rawOf = ({ data, width, height }: Picture) => sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha()

async function scanned(page: Picture, _random: Random, inPdf: boolean): Promise<Buffer> {
  const grey = rawOf(page).greyscale().withMetadata({ density: page.dotsPerInch })
  return await (inPdf ? grey.jpeg({ quality: 90 }) : grey.png()).toBuffer()
}

async function spoilt(page: Picture, random: Random): Promise<Buffer> {
  const angle = (random.chance(0.5) ? 1 : -1) * (0.5 + 2.5 * random.next())
  const { data, info } = await rawOf(page)
    .greyscale()
    .rotate(angle, { background: '#ffffff' })
    .blur(0.4 + 0.6 * random.next())
    .raw()
    .toBuffer({ resolveWithObject: true })
  const deviation = 5 + 10 * random.next()
  const light = makeLight(random, info)
  for (let n = 0; n < data.length; n += 1) {
    const ink = (data[n] ?? 255) * light(n % info.width, Math.floor(n / info.width))
    data[n] = Math.max(0, Math.min(255, Math.round(ink + deviation * random.normal())))
  }
  return await sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
    .withMetadata({ density: page.dotsPerInch })
    .jpeg({ quality: random.int(50, 70) })
    .toBuffer()
}

/** Light that falls off towards one side, as a factor per pixel. */
function makeLight(random: Random, { width, height }: { width: number; height: number }) {
  const turn = random.next() * 2 * Math.PI
  const fall = 0.08 + 0.17 * random.next()
  return (x: number, y: number) =>
    1 - fall * (0.5 + 0.5 * (Math.cos(turn) * ((2 * x) / width - 1) + Math.sin(turn) * ((2 * y) / height - 1)))
}

async function bind(pictures: readonly Buffer[], dotsPerInch: number): Promise<Buffer> {
  const sizes = await Promise.all(
    pictures.map(async (picture): Promise<[number, number]> => {
      const { width, height } = await sharp(picture).metadata()
      return [(width * 72) / dotsPerInch, (height * 72) / dotsPerInch]
    }),
  )
  return await new Promise((resolve, reject) => {
    const doc = new PDFDocument({
      autoFirstPage: false,
      margin: 0,
      info: { CreationDate: new Date(Date.UTC(2025, 0, 1)) },
    })
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
    for (const [n, picture] of pictures.entries()) {
      const size = sizes[n] ?? [0, 0]
      doc.addPage({ size, margin: 0 })
      doc.image(picture, 0, 0, { width: size[0], height: size[1] })
    }
    doc.end()
  })
}
