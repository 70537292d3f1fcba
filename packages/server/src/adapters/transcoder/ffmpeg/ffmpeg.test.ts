import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasFfmpeg, madeFilm, madeSound } from '../../../../../../test/support/made-media.ts'
import { findBubblewrap } from '../../sandbox/bubblewrap.ts'
import type { Transcoder } from '../transcoder.ts'
import { openFfmpeg } from './ffmpeg.ts'

const run = promisify(execFile)
const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const isSandboxed = 'found' in looked || process.env['REQUIRE_SANDBOX'] === '1'
const ways = [
  { way: 'without a sandbox', transcoder: openFfmpeg(process.env, async () => ({ missing: 'turned off' })) },
  ...(isSandboxed ? [{ way: 'in bubblewrap', transcoder: openFfmpeg(process.env, async () => looked) }] : []),
]

describe.skipIf(!(await hasFfmpeg()))('ffmpeg on hostile files', { timeout: 120_000 }, () => {
  let folder: string
  /** Another caller's video, which must not be opened through other files. */
  let foreign: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillrun-ffmpeg-'))
    foreign = join(folder, 'foreign.mp4')
    await writeFile(foreign, await madeFilm(['Secret']))
    await run('ffmpeg', ['-v', 'error', '-i', foreign, '-frames:v', '1', join(folder, 'frame1.png')])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const signal = new AbortController().signal
  const span = { fromSeconds: 0, toSeconds: 1 }
  /** Every way to read a file. */
  const calls: Readonly<Record<string, (transcoder: Transcoder, file: string) => Promise<unknown>>> = {
    probe: (one, file) => one.probe(file, signal),
    frames: (one, file) => one.frames(file, { atSeconds: [0], width: 64 }, signal),
    scenes: (one, file) => one.scenes(file, signal),
    subtitles: (one, file) => one.subtitles(file, signal),
    speech: (one, file) => one.speech(file, span, signal),
    'trim of a film': (one, file) => one.trim(file, { span, as: 'mp4' }, signal),
    'trim of a sound': (one, file) => one.trim(file, { span, as: 'mp3' }, signal),
  }

  /** Playlists that refer to other files, in each format that ffmpeg reads. */
  const lists = (): Readonly<Record<string, string>> => ({
    'an HLS playlist': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${foreign}\n#EXT-X-ENDLIST\n`,
    'a playlist with a plain path': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${foreign}\n#EXT-X-ENDLIST\n`,
    'a concat script': `ffconcat version 1.0\nfile '${foreign}'\n`,
    'a DASH manifest': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://${foreign}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    'a session description': 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n',
    'a graph of filters': `movie=${foreign}`,
    'a cue sheet': `FILE "${foreign}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
  })
  /** File headers that pass for audio or video. */
  const disguises: Readonly<Record<string, Buffer>> = {
    'as it is': Buffer.alloc(0),
    'behind an empty ID3 tag': Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1'),
    'behind an ID3 tag with padding': Buffer.concat([
      Buffer.from('ID3\x03\x00\x00\x00\x00\x00\x10', 'latin1'),
      Buffer.alloc(16),
    ]),
    'behind the head of an MP4': Buffer.from('\x00\x00\x00\x10ftypisom\x00\x00\x00\x00', 'latin1'),
    'behind the head of a WAVE': Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1'),
    'behind the head of an Ogg': Buffer.from('OggS\n', 'latin1'),
    'behind a line feed': Buffer.from('\n'),
  }

  /** The result for a file with `text` after `head`: `nothing`, or what it was. */
  async function cameOf(act: () => Promise<unknown>, head: Buffer | undefined, text: string): Promise<unknown> {
    await writeFile(join(folder, 'input'), Buffer.concat([head ?? Buffer.alloc(0), Buffer.from(text)]))
    const came = await act().catch((error: { code?: string }) => error.code)
    // Audio whose frames are text has an empty result.
    return came === 'unreadable_media' || (Array.isArray(came) && came.length === 0) ? 'nothing' : came
  }

  const films: Readonly<Record<string, readonly string[]>> = {
    webm: ['-c:v', 'libvpx', '-an'],
    avi: [],
    flv: ['-an'],
    ts: ['-f', 'mpegts'],
    mpg: ['-an', '-r', '25'],
    mkv: [],
  }
  const sounds: Readonly<Record<string, readonly string[]>> = {
    wav: [],
    flac: [],
    ogg: ['-c:a', 'libvorbis'],
    aac: [],
    aiff: [],
    caf: [],
    m4a: [],
    wma: ['-c:a', 'wmav2'],
  }
  const making = new Map<string, Promise<string>>()
  /** A file of a format, made once for all ways. */
  function made(form: string): Promise<string> {
    const make = async () => {
      const file = join(folder, `made.${form}`)
      if (form === 'mp3') await writeFile(file, await madeSound(2, 'A tone'))
      else {
        const options = films[form] ?? ['-vn', ...(sounds[form] ?? [])]
        const source = form in films ? foreign : await made('mp3')
        await run('ffmpeg', ['-v', 'error', '-y', '-i', source, ...options, file])
      }
      return file
    }
    const one = making.get(form) ?? make()
    making.set(form, one)
    return one
  }

  describe.each(ways)('$way', ({ transcoder }) => {
    test.each(Object.entries(calls))('%s opens no other file for a playlist after an ID3 tag', async (_name, call) => {
      const act = () => call(transcoder, join(folder, 'input'))
      const head = disguises['behind an empty ID3 tag']
      expect(await cameOf(act, head, lists()['an HLS playlist'] ?? '')).toBe('nothing')
    })

    test('no playlist opens another file, however it is disguised', async () => {
      const act = () => transcoder.trim(join(folder, 'input'), { span, as: 'mp4' }, signal)
      for (const [list, text] of Object.entries(lists()))
        for (const [disguise, head] of Object.entries(disguises))
          expect([list, disguise, await cameOf(act, head, text)]).toEqual([list, disguise, 'nothing'])
    })

    test('a name is literal: no pattern, list, protocol or option is interpreted', async () => {
      for (const name of [
        'frame%d.png',
        'frame*.png',
        'concat:foreign.mp4|foreign.mp4',
        '-version',
        'subfile,,start,0,end,9,,:x',
      ])
        for (const call of [calls['probe'], calls['trim of a film']]) {
          const file = join(folder, name)
          await writeFile(file, await readFile(join(folder, 'frame1.png')))
          await expect(call?.(transcoder, file)).rejects.toMatchObject({ code: 'unreadable_media' })
          await rm(file)
        }
      const film = join(folder, 'concat:%d*-i.mp4')
      await writeFile(film, await readFile(foreign))
      expect(await transcoder.probe(film, signal)).toMatchObject({ video: { width: 640 } })
    })

    test('videos and audio are read as usual', async () => {
      expect(await transcoder.probe(foreign, signal)).toMatchObject({ video: { width: 640 }, audio: { channels: 1 } })
      const tagged = await transcoder.probe(await made('mp3'), signal)
      expect(tagged).toMatchObject({ container: 'mp3', tags: { title: 'A tone' } })
      for (const form of Object.keys({ ...films, ...sounds })) {
        const { video, audio } = await transcoder.probe(await made(form), signal)
        expect([form, (form in films ? video : audio) !== null]).toEqual([form, true])
      }
    })
  })
})
