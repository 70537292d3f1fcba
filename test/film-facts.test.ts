import { expect, test } from 'vitest'
import { colouredFilm, hasFfmpeg } from './support/made-media.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const isThere = await hasFfmpeg()

const service = await opened(openTestService())

const boolean = { type: ['boolean', 'null'] }
const integer = { type: ['integer', 'null'] }
const properties = { scene_count: integer, has_audio: boolean, has_subtitles: boolean }

test.skipIf(!isThere).each([
  ['three scenes and sound', ['white', 'black', 'white'], false, { scene_count: 3, has_audio: true }],
  ['one scene and no sound', ['white'], true, { scene_count: 1, has_audio: false }],
] as const)('a film of %s says so without a model', async (_name, colours, isMute, facts) => {
  const { id } = await service.upload(await colouredFilm(colours, { isMute }), 'film.mp4')
  const body = {
    inputs: { film: { type: 'input_file', file_id: id } },
    config: { prompt: 'Extract the facts of the video', json_schema: { type: 'object', properties } },
  }
  const json = await service.execute(body)
  expect(json).toMatchObject({ status: 'completed', response: { ...facts, has_subtitles: false }, error: null })
  expect(json.evidence['/scene_count']).toMatchObject({ quote: String(facts.scene_count) })
})
