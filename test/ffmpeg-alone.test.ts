import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callServer, uploadTo } from './support/call.ts'
import { makeDatabase } from './support/database.ts'
import { urlOf } from './support/database-url.ts'
import { hasFfmpeg, madeFilm } from './support/made-media.ts'
import { startMockModel } from './support/mock-model.ts'
import { startServer } from './support/server.ts'

const key = 'the-key-of-the-operator'

test.skipIf(!(await hasFfmpeg()))(
  'a server without bubblewrap cuts nothing out of a film that a playlist in disguise names',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-alone-'))
    await using model = await startMockModel({
      script: ({ results }) => {
        const input = { video: 'media', from_seconds: 0, to_seconds: 1 }
        const usage = { inputTokens: 1, outputTokens: 1 }
        return results.length === 0
          ? { toolCalls: [{ name: 'video_trim', input }], usage }
          : { text: results.at(-1) ?? '', usage }
      },
    })
    try {
      // A machine with ffmpeg and nothing else.
      const programs = join(folder, 'programs')
      await mkdir(programs)
      for (const name of ['ffmpeg', 'ffprobe']) {
        const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
        await symlink(path, join(programs, name))
      }
      const config = join(folder, 'configuration.json')
      const mine = { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'small' }
      const facts = { input: 0, cached_input: 0, output: 0, context_tokens: 100_000, output_tokens_max: 1_000 }
      const models = { 'mine/small': { ...facts, takes: ['text', 'tools'] } }
      await writeFile(config, JSON.stringify({ providers: { mine }, models }))
      const film = await madeFilm(['Secret'])
      const foreign = join(folder, 'foreign.mp4')
      await writeFile(foreign, film)
      await using database = await makeDatabase()
      await using server = startServer(join(folder, 'data'), {
        PATH: programs,
        DATABASE_URL: urlOf(database.address),
        SKILLRUN_API_KEY: key,
        SKILLRUN_CONFIG: config,
      })
      const url = (await server.printed(/Skillrun +(http:\S+)/))[1] ?? ''

      const trimmed = async (name: string, bytes: Buffer) => {
        const { id } = (await uploadTo({ url, key }, bytes, name)).json
        const body = {
          model: 'svc-agent-1:fast',
          batch: false,
          inputs: { media: { type: 'input_file', file_id: id } },
          config: { prompt: 'Cut out the first second' },
        }
        return JSON.stringify((await callServer({ url, key }, 'POST', '/v1/agent/execute', { body })).json)
      }

      expect(await trimmed('own.mp4', film)).toMatch(/vid_[0-9a-f]{6}/)
      const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${foreign}\n#EXT-X-ENDLIST\n`
      const disguised = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1'), Buffer.from(playlist)])
      const record = await trimmed('song.mp3', disguised)
      expect(record).not.toMatch(/vid_[0-9a-f]{6}/)
      expect(record).toContain('could not be read')
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)
