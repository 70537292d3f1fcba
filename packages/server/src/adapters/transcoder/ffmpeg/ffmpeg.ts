import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { MediaFacts } from '@skillrun/reader/media/timed/media-facts.ts'
import { z } from 'zod'
import type { Bubblewrap, FindBubblewrap } from '../../sandbox/bubblewrap.ts'
import { type Frame, needsFfmpeg, type Transcoder } from '../transcoder.ts'
import { demuxersFor } from './demuxers.ts'
import { runTool, type ToolBounds, unreadableMedia } from './run-tool.ts'

type Environment = Readonly<Record<string, string | undefined>>

const megabyte = 1024 * 1024
/** Reading the header is fast, however long the video. */
const probeBounds: ToolBounds = { wallMs: 20_000, cpuSeconds: 10, memoryMb: 1_024, outputBytesMax: megabyte }
/** One frame: decoding starts at the key frame before it. */
const frameBounds: ToolBounds = { wallMs: 60_000, cpuSeconds: 60, memoryMb: 2_048, outputBytesMax: 32 * megabyte }
/** Enough for the key frames of an hour. */
const sceneBounds: ToolBounds = { wallMs: 120_000, cpuSeconds: 120, memoryMb: 2_048, outputBytesMax: 8 * megabyte }
/** Enough for an hour of audio at 4 kB per second. */
const speechBounds: ToolBounds = { wallMs: 120_000, cpuSeconds: 120, memoryMb: 1_024, outputBytesMax: 64 * megabyte }

/** ffmpeg's scene score of a cut, from 0 to 1. Its own example uses 0.4; key frames differ less. */
const cutMin = 0.3
const framesAtOnce = 2
/** Seeking returns the next frame. When it is later than requested by more than this, its own time is reported. */
const laterSecondsMin = 0.1
const tagCharactersMax = 500
const textSubtitles = new Set(['subrip', 'srt', 'ass', 'ssa', 'webvtt', 'mov_text', 'text'])

const quiet = ['-nostdin', '-v', 'error'] as const

/**
 * ffmpeg and ffprobe of this machine, located on first use. They run in bubblewrap and under prlimit where these are
 * available.
 */
export function openFfmpeg(environment: Environment, findSandbox: FindBubblewrap): Transcoder {
  let found: Promise<Programs> | undefined
  const programs = async (): Promise<Programs> => {
    found ??= findPrograms(environment, findSandbox)
    // A failure is not cached, so that programs installed later are found.
    found.catch(() => {
      found = undefined
    })
    return found
  }
  const run = async (
    tool: 'ffmpeg' | 'ffprobe',
    { file, args, bounds }: { args: (input: readonly string[]) => readonly string[]; file: string; bounds: ToolBounds },
    signal: AbortSignal,
  ) => {
    const { bubblewrap, prlimit, ...paths } = await programs()
    const demuxers = await demuxersFor(file)
    if (demuxers === undefined)
      throw unreadableMedia(new Error('its first bytes are not those of a video or audio container'))
    // Only this file, and no other that it refers to, even where no sandbox enforces it.
    const input = ['-protocol_whitelist', 'file', '-format_whitelist', demuxers, '-i', `file:${file}`]
    return runTool({ program: paths[tool], bubblewrap, prlimit }, { args: args(input), file, bounds }, signal)
  }
  const frame = async (file: string, at: { seconds: number; width: number }, signal: AbortSignal): Promise<Frame[]> => {
    const filter = `scale='min(${at.width},iw)':-2,showinfo`
    const picture = ['-frames:v', '1', '-an', '-sn', '-vf', filter, '-f', 'image2pipe', '-c:v', 'png', 'pipe:1']
    const verbose = ['-v', 'info', '-hide_banner', '-nostats']
    const args = (input: readonly string[]) => [...quiet, ...verbose, '-ss', String(at.seconds), ...input, ...picture]
    const { stdout, stderr } = await run('ffmpeg', { args, file, bounds: frameBounds }, signal)
    if (stdout.length === 0) return []
    const later = Number(/ pts_time:(\d+(?:\.\d+)?)/.exec(stderr)?.[1] ?? 0)
    // Rounded down, so that a request for this time returns the same frame.
    const isLater = later > laterSecondsMin
    return [{ atSeconds: isLater ? Math.floor((at.seconds + later) * 1000) / 1000 : at.seconds, png: stdout }]
  }
  return {
    async probe(file, signal) {
      const shown = ['-show_format', '-show_streams', '-of', 'json']
      const args = (input: readonly string[]) => ['-v', 'error', ...shown, ...input]
      const { stdout } = await run('ffprobe', { args, file, bounds: probeBounds }, signal)
      return factsOf(stdout.toString('utf8'))
    },
    async frames(file, { atSeconds, width }, signal) {
      const waiting = [...atSeconds]
      const taken: Frame[] = []
      await Promise.all(
        Array.from({ length: framesAtOnce }, async () => {
          for (let seconds = waiting.shift(); seconds !== undefined; seconds = waiting.shift())
            taken.push(...(await frame(file, { seconds, width }, signal)))
        }),
      )
      const sorted = taken.toSorted((left, right) => left.atSeconds - right.atSeconds)
      return sorted.filter((one, index) => one.atSeconds !== sorted[index - 1]?.atSeconds)
    },
    async scenes(file, signal) {
      const filter = `scale=160:-2,select='gt(scene,${cutMin})',metadata=print:file=-`
      const changes = ['-an', '-sn', '-vf', filter, '-f', 'null', '-']
      const args = (input: readonly string[]) => [...quiet, '-skip_frame', 'nokey', ...input, ...changes]
      const { stdout } = await run('ffmpeg', { args, file, bounds: sceneBounds }, signal)
      return [...stdout.toString().matchAll(/pts_time:([\d.]+)/g)].map((match) => Number(match[1]))
    },
    async subtitles(file, signal) {
      const args = (input: readonly string[]) => [...quiet, ...input, '-map', '0:s:0', '-f', 'srt', 'pipe:1']
      return (await run('ffmpeg', { args, file, bounds: speechBounds }, signal)).stdout.toString('utf8')
    },
    async speech(file, { fromSeconds, toSeconds }, signal) {
      const span = ['-ss', String(fromSeconds), '-t', String(toSeconds - fromSeconds)]
      const sound = ['-vn', '-sn', '-ac', '1', '-ar', '16000', '-b:a', '32k', '-f', 'mp3', 'pipe:1']
      const args = (input: readonly string[]) => [...quiet, ...span, ...input, ...sound]
      return (await run('ffmpeg', { args, file, bounds: speechBounds }, signal)).stdout
    },
    async trim(file, { span: { fromSeconds, toSeconds }, as }, signal) {
      const span = ['-ss', String(fromSeconds), '-t', String(toSeconds - fromSeconds)]
      // A pipe is not seekable, so the index of the MP4 is written in fragments.
      const film = ['-sn', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
      const shape = ['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']
      const sound = ['-vn', '-sn', '-b:a', '128k', '-f', 'mp3']
      const form = as === 'mp4' ? [...film, ...shape] : sound
      const args = (input: readonly string[]) => [...quiet, ...span, ...input, ...form, 'pipe:1']
      return (await run('ffmpeg', { args, file, bounds: speechBounds }, signal)).stdout
    },
  }
}

interface Programs {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly prlimit: string | undefined
  readonly bubblewrap: Bubblewrap | undefined
}

async function findPrograms(environment: Environment, findSandbox: FindBubblewrap): Promise<Programs> {
  const [ffmpeg, ffprobe, prlimit, sandbox] = await Promise.all([
    findProgram('ffmpeg', environment),
    findProgram('ffprobe', environment),
    findProgram('prlimit', environment),
    findSandbox(),
  ])
  if (ffmpeg === undefined || ffprobe === undefined) throw needsFfmpeg()
  return { ffmpeg, ffprobe, prlimit, bubblewrap: 'found' in sandbox ? sandbox.found : undefined }
}

async function findProgram(name: string, environment: Environment): Promise<string | undefined> {
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

const number = z.coerce.number().finite().nonnegative().catch(0)
const probed = z.object({
  format: z.object({
    format_name: z.string().catch(''),
    duration: z.coerce.number().finite().nonnegative().optional().catch(undefined),
    tags: z.record(z.string(), z.string()).catch({}),
  }),
  streams: z.array(
    z.object({
      codec_type: z.string().catch(''),
      codec_name: z.string().catch(''),
      width: number,
      height: number,
      avg_frame_rate: z.string().catch(''),
      sample_rate: number,
      channels: number,
      disposition: z.object({ attached_pic: number }).catch({ attached_pic: 0 }),
    }),
  ),
})

/** Converts ffprobe's output; unknown or malformed values become 0, empty or null. */
function factsOf(text: string): MediaFacts {
  const parsed = probed.safeParse(JSON.parse(text))
  if (!parsed.success) throw unreadableMedia(parsed.error)
  const { format, streams } = parsed.data
  const video = streams.find((one) => one.codec_type === 'video' && one.disposition.attached_pic === 0)
  const audio = streams.find((one) => one.codec_type === 'audio')
  const [frames = 0, per = 0] = (video?.avg_frame_rate ?? '').split('/').map(Number)
  return {
    container: format.format_name,
    durationSeconds: format.duration ?? null,
    video: video
      ? {
          codec: video.codec_name,
          width: video.width,
          height: video.height,
          framesPerSecond: per > 0 ? Number((frames / per).toFixed(3)) : null,
        }
      : null,
    audio: audio ? { codec: audio.codec_name, channels: audio.channels, sampleRate: audio.sample_rate } : null,
    subtitleTracks: streams.filter((one) => one.codec_type === 'subtitle' && textSubtitles.has(one.codec_name)).length,
    tags: Object.fromEntries(
      Object.entries(format.tags)
        .slice(0, 20)
        .map(([name, value]) => [name.toLowerCase().slice(0, 50), value.slice(0, tagCharactersMax)]),
    ),
  }
}
