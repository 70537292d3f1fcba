import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { madePdf, picturedPdf } from '../../packages/reader/src/media/testing/made.ts'

const run = promisify(execFile)

/** True when this machine has ffmpeg. With REQUIRE_FFMPEG=1 it throws otherwise, so that tests cannot skip themselves. */
export async function hasFfmpeg(): Promise<boolean> {
  if (process.env['REQUIRE_FFMPEG'] === '1') return true
  return run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  )
}

/** MPEG-4 in its own container, which takes subtitles, or VP8, which every browser plays. */
const filmCodecs = {
  mp4: ['-c:v', 'mpeg4', '-q:v', '2', '-c:a', 'aac'],
  webm: ['-c:v', 'libvpx', '-b:v', '2M', '-deadline', 'realtime', '-c:a', 'libvorbis'],
} as const
const subtitleCodecs = { mp4: 'mov_text', webm: 'webvtt' } as const

/** A video of cards with a line of text each, `secondsEach` long, with a tone; `subtitles` as SubRip text. */
export async function madeFilm(
  cards: readonly string[],
  {
    secondsEach = 2,
    subtitles,
    form = 'mp4',
  }: { secondsEach?: number; subtitles?: string; form?: 'mp4' | 'webm' } = {},
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    await Promise.all(
      cards.map(async (text, index) => {
        const card = await madePdf(
          (document) => {
            document.rect(0, 0, 640, 360).fill(index % 2 === 0 ? '#ffffff' : '#dde7ff')
            document.fillColor('#000000').fontSize(40).text(text, 40, 160, { lineBreak: false })
          },
          { size: [640, 360], margin: 0 },
        )
        const picture = await picturedPdf(card, 72)
        await picture.png().toFile(join(folder, `card-${index}.png`))
      }),
    )
    const film = join(folder, `film.${form}`)
    const input = ['-framerate', `1/${secondsEach}`, '-i', join(folder, 'card-%d.png')]
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${cards.length * secondsEach}`]
    const text =
      subtitles === undefined ? [] : ['-i', `data:text/plain;base64,${Buffer.from(subtitles).toString('base64')}`]
    const streams = [
      '-map',
      '0:v',
      '-map',
      '1:a',
      ...(subtitles === undefined ? [] : ['-map', '2:s', '-c:s', subtitleCodecs[form]]),
    ]
    const codecs = [...filmCodecs[form], '-r', '10', '-g', '10', '-metadata', 'title=Rules of the house']
    await run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      ...input,
      ...tone,
      ...(text.length ? ['-f', 'srt', ...text] : []),
      ...streams,
      ...codecs,
      film,
    ])
    return await readFile(film)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A tone of some seconds as MP3, with a title. */
export async function madeSound(seconds: number, title: string): Promise<Buffer> {
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`]
  const { stdout } = await run('ffmpeg', [...args, '-metadata', `title=${title}`, '-f', 'mp3', 'pipe:1'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** A white video with one frame per second. */
export async function longFilm(seconds: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    const film = join(folder, 'film.mp4')
    const source = ['-f', 'lavfi', '-i', `color=c=white:s=64x36:r=1:d=${seconds}`]
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...source, '-c:v', 'mpeg4', '-q:v', '31', '-g', '300', film])
    return await readFile(film)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A tone of some seconds in an MP4 whose header claims another length. */
export async function claimingSound(seconds: number, claimed: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sound-'))
  try {
    const sound = join(folder, 'sound.m4a')
    const source = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`]
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...source, '-c:a', 'aac', sound])
    const bytes = await readFile(sound)
    // After the name of both boxes: version, two times, units per second, length in units (ISO/IEC 14496-12, 8.2.2 and
    // 8.4.2).
    for (const box of ['mvhd', 'mdhd']) {
      const at = bytes.indexOf(box)
      bytes.writeUInt32BE(bytes.readUInt32BE(at + 16) * claimed, at + 20)
    }
    return bytes
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A video of single-colour scenes of two seconds, with a key frame at every cut; `isMute` leaves out its tone. */
export async function colouredFilm(colours: readonly string[], { isMute = false } = {}): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'film-'))
  try {
    const film = join(folder, 'film.mp4')
    const sources = colours.flatMap((colour) => [
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=160x90:r=10:d=2,drawbox=c=${colour}:t=fill`,
    ])
    const joined = `${colours.map((_colour, index) => `[${index}:v]`).join('')}concat=n=${colours.length}[v]`
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${colours.length * 2}`]
    const sound = isMute ? [] : ['-map', `${colours.length}:a`, '-c:a', 'aac']
    const codec = ['-map', '[v]', '-c:v', 'mpeg4', '-q:v', '2', '-g', '10']
    await run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      ...sources,
      ...tone,
      '-filter_complex',
      joined,
      ...codec,
      ...sound,
      film,
    ])
    return await readFile(film)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
