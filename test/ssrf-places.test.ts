import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { madeExcel, madeWord, madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { openApiOf } from '../packages/server/src/adapters/http/openapi.ts'
import { apiRoutes } from '../packages/server/src/routes.ts'
import { disguisesOf } from './support/disguises.ts'
import { eightAtOnce, openInside } from './support/inside.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService, type TestService } from './support/service.ts'
import { slotsOf } from './support/slots.ts'

// Complements test/ssrf.test.ts, which covers the slots of an execution: every other way for a URL to reach this
// server.
/** An allowed site that redirects as its path says. */
let calls: { name: string; input: Json }[] = []
const script = ({ results }: MockRequest): MockTurn =>
  calls.length > 0 && results.length === 0 ? { toolCalls: calls } : { text: JSON.stringify({ heard: results }) }
const model = await startMockModel({ script })

const inside = await opened(openInside())
const site = await opened(
  openInside('A page of the site', (path) => (path.startsWith('/to?') ? decodeURIComponent(path.slice(4)) : undefined)),
)
const disguises = disguisesOf(inside.port)
beforeAll(async () => {
  expect(disguises.length).toBeGreaterThanOrEqual(80)
})
afterAll(async () => {
  await model[Symbol.asyncDispose]()
})

const siteTo = (url: string) => `http://127.0.0.1:${site.port}/to?${encodeURIComponent(url)}`

const openService = (isAllowed: boolean, mcp: Record<string, { url: string }> = {}) =>
  openTestService({
    env: { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${site.port}${isAllowed ? `,127.0.0.1:${inside.port}` : ''}` },
    config: {
      providers: [{ name: 'mine', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1': 'mine/one', 'svc-agent-1:fast': 'embedded' },
        web: true,
        mcp,
        limits: { requests_per_minute: 1_000_000, callback_retry_seconds: [60] },
      },
    },
  })

const text = { text: 'Total: 5.00' }
const config = { prompt: 'Extract the total' }
const execute = async (service: TestService, body: object) =>
  service.call('POST', '/v1/agent/execute', { body: { batch: false, model: 'svc-agent-1:fast', config, ...body } })

const part = (type: string) => (url: string) => ({ type, [type]: { url } })

/** A conversation whose last message has the given part. */
const chat = (partOf: (url: string) => object) => async (service: TestService, url: string) => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, partOf(url)] }]
  await service.call('POST', '/v1/openai/chat/completions', { body: { model: 'svc-agent-1', messages } })
}

/** A request of the Responses API with the given part. */
const respond = (type: string, field: string) => async (service: TestService, url: string) => {
  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type, [field]: url },
      ],
    },
  ]
  await service.call('POST', '/v1/openai/responses', { body: { model: 'svc-agent-1', input } })
}

/** A request of the Messages API with the given block. */
const message = (type: string) => async (service: TestService, url: string) => {
  const content = [
    { type: 'text', text: 'What is this?' },
    { type, source: { type: 'url', url } },
  ]
  const body = { model: 'svc-agent-1', max_tokens: 50, messages: [{ role: 'user', content }] }
  await service.call('POST', '/anthropic/v1/messages', { body })
}

async function countTokens(service: TestService, url: string) {
  const content = [{ type: 'document', source: { type: 'url', url } }]
  const body = { model: 'svc-agent-1', messages: [{ role: 'user', content }] }
  await service.call('POST', '/anthropic/v1/messages/count_tokens', { body })
}

const tried = (service: TestService, id: string) =>
  expect
    .poll(async () => (await service.call('GET', `/v1/agent/executions/${id}/callbacks`)).json[0]?.tries.length, {
      timeout: 20_000,
    })
    .toBe(1)

let count = 0
/** Settings of an agent that its executions inherit. */
async function throughAgent(service: TestService, brings: object) {
  count += 1
  const name = `of-the-story-${count}`
  const made = await service.call('POST', '/v1/agent/create', { body: { name, config, ...brings } })
  if (made.status !== 201) return
  const inputs = 'inputs' in brings ? {} : { inputs: text }
  const { status, json } = await execute(service, { name, config: {}, ...inputs })
  if (status === 201 && 'callback_url' in brings) await tried(service, json.id)
}

const again = async (service: TestService, body: object) => {
  const { json } = await execute(service, { inputs: text })
  const { status, json: second } = await service.call('POST', `/v1/agent/executions/${json.id}/rerun`, {
    body: { batch: false, ...body },
  })
  if (status === 201 && 'callback_url' in body) await tried(service, second.id)
}

/** A batch, until it ended and the callback that it has was tried. */
const batch = async (service: TestService, item: object, brings: { callback_url?: string } = {}) => {
  const { status, json } = await service.call('POST', '/v1/agent/batches', {
    body: { model: 'svc-agent-1:fast', items: [item], config, ...brings },
  })
  if (status !== 201) return
  await expect
    .poll(async () => (await service.call('GET', `/v1/agent/batches/${json.id}`)).json.status, { timeout: 20_000 })
    .toBe('completed')
  if (brings.callback_url !== undefined)
    await expect
      .poll(
        () =>
          service.database.db.query('select round_tries as tries from callbacks where execution_id = $1', [json.id]),
        {
          timeout: 20_000,
        },
      )
      .toEqual([{ tries: 1 }])
}

const predict = (path: string, brings: (url: string) => object) => async (service: TestService, url: string) => {
  const body = { model: 'svc-agent-1:fast', config, batch: false, ...brings(url) }
  const { status, json } = await service.call('POST', `/v1/${path}`, { body })
  if (status === 201 && 'callback_url' in body) await tried(service, json.id)
}

/**
 * Ways for a URL to enter, with the slots of the API description that each covers. `leadsNowhere`: URLs are refused
 * there whatever their target.
 */
const ways: Readonly<
  Record<string, { go: (service: TestService, url: string) => Promise<void>; slots?: RegExp; leadsNowhere?: true }>
> = {
  'an image_url of a chat': { go: chat(part('image_url')), slots: /^createChat\w+ body\.messages.*image_url\.url$/ },
  'a video_url of a chat': { go: chat(part('video_url')), slots: /^createChat\w+ body\.messages.*video_url\.url$/ },
  'an audio_url of a chat': { go: chat(part('audio_url')), slots: /^createChat\w+ body\.messages.*audio_url\.url$/ },
  'a file_url of a chat': { go: chat(part('file_url')), slots: /^createChat\w+ body\.messages.*file_url\.url$/ },
  'the data of a file of a chat': {
    go: chat((url) => ({ type: 'file', file: { filename: 'a.txt', file_data: url } })),
    slots: /^createChat\w+ body\.messages.*file\.file_data$/,
    leadsNowhere: true,
  },
  'an image_url of a response': {
    go: respond('input_image', 'image_url'),
    slots: /^createResponse body\..*image_url$/,
  },
  'a file_url of a response': { go: respond('input_file', 'file_url'), slots: /^createResponse body\..*file_url$/ },
  'the URL of an image of a message': { go: message('image'), slots: /^createMessage body\..*url$/ },
  'the URL of a document of a message': { go: message('document') },
  'the URL of a document whose tokens are counted': {
    go: countTokens,
    slots: /^countMessageTokens body\..*url$/,
  },
  'the data of a file of a response': {
    go: async (service, url) => {
      const content = [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_file', filename: 'a.txt', file_data: url },
      ]
      const body = { model: 'svc-agent-1', input: [{ role: 'user', content }] }
      await service.call('POST', '/v1/openai/responses', { body })
    },
    slots: /^createResponse body\.input.*\.file_data$/,
    leadsNowhere: true,
  },
  'the inputs of an agent': {
    go: (service, url) => throughAgent(service, { inputs: { slot: part('file_url')(url) } }),
  },
  'the callback_url of an agent': {
    go: (service, url) => throughAgent(service, { callback_url: url }),
    slots: /^createAgent body\.callback_url$/,
  },
  'an input of a rerun': {
    go: (service, url) => again(service, { inputs: { slot: part('file_url')(url) } }),
    slots: /^rerunExecution body\.inputs/,
  },
  'the callback_url of a rerun': {
    go: (service, url) => again(service, { callback_url: url }),
    slots: /^rerunExecution body\.callback_url$/,
  },
  'the url of an item of a batch': {
    go: (service, url) => batch(service, { url }),
    slots: /^createBatch body\.items\.\[\]\.url$/,
  },
  'an input of an item of a batch': {
    go: (service, url) => batch(service, { inputs: { slot: part('file_url')(url) } }),
    slots: /^createBatch body\.items\.\[\]\.inputs/,
  },
  'the callback_url of a batch': {
    go: (service, url) => batch(service, { inputs: text }, { callback_url: url }),
    slots: /^createBatch body\.callback_url$/,
  },
  'the url of a prediction': {
    go: predict('document/generate', (url) => ({ url })),
    slots: /^(generateFrom|executeOn|proposeSchemaFrom)(Document|Audio|Video) body\.url$/,
  },
  'an image of a prediction': { go: predict('image/generate', (url) => ({ images: [url] })) },
  'the url of a page': { go: predict('web/generate', (url) => ({ url })), slots: /^generateFromWeb body\.url$/ },
  'the callback_url of a prediction': {
    go: predict('document/generate', (url) => ({ url: 'data:text/plain,Total: 5.00', callback_url: url })),
    slots: /^(generateFrom|executeOn)\w+ body\.callback_url$/,
  },
  'a redirect of a site that may be asked': {
    go: async (service, url) => void (await execute(service, { inputs: { slot: part('file_url')(siteTo(url)) } })),
  },
}

test('every place of the API that is called a URL is covered by one of the tests', () => {
  const inExecute = /^(executeAgent|estimateExecution|estimateBackfill) body\.(inputs|callback_url)/
  const known = [inExecute, ...Object.values(ways).flatMap(({ slots }) => slots ?? [])]
  const named = slotsOf(openApiOf(apiRoutes()))
    .map(({ operation, name }) => `${operation} ${name}`)
    .filter((slot) => /ur[il]$|file_data$|href|link$/i.test(slot))
  expect(named.length).toBeGreaterThan(25)
  expect(named.filter((slot) => !known.some((pattern) => pattern.test(slot)))).toEqual([])
})

describe('a server that may not access its own network', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService(false)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each(Object.keys(ways))('requests no disguise of a private address by %s', async (name) => {
    calls = []
    await eightAtOnce(disguises, (url) => ways[name]?.go(service, url) ?? Promise.reject(new Error('no such way')))
    expect(inside.heard).toEqual([])
  })

  test('reads none of them for a model, and none that a page redirects to', async () => {
    calls = [...disguises, ...disguises.map(siteTo)].map((url) => ({ name: 'web_fetch', input: { url } }))
    const { json } = await execute(service, { model: 'svc-agent-1', inputs: text, config: { prompt: 'Look around' } })
    const { heard } = JSON.parse(json.response) as { heard: string[] }
    expect(heard).toHaveLength(calls.length)
    // `http:` without a host redirects to the site itself.
    expect(heard.filter((answer) => !/error|A page of the site/.test(answer))).toEqual([])
    expect(inside.heard).toEqual([])
  })

  test('requests none for the cases of a skill when those are run', async () => {
    calls = []
    const skill = (await service.call('POST', '/v1/skills/create', { body: { name: 'of-urls', prompt: 'The total' } }))
      .json
    const cases = disguises
      .filter((url) => /^https?:\/\/\S/i.test(url))
      .map((url) => ({ inputs: { slot: part('file_url')(url) }, response: { total: 5 } }))
    const added: number[] = []
    for (const one of cases)
      added.push((await service.call('POST', `/v1/skills/${skill.id}/cases`, { body: { cases: [one] } })).status)
    expect(added.filter((status) => status === 201).length).toBeGreaterThan(70)
    const path = `/v1/skills/${skill.id}/evaluat`
    const { json } = await service.call('POST', `${path}e`, { body: { model: 'svc-agent-1:fast' } })
    await expect
      .poll(async () => (await service.call('GET', `${path}ions/${json.id}`)).json.status, { timeout: 60_000 })
      .not.toBe('running')
    expect(inside.heard).toEqual([])
  })
})

describe('a server that may', () => {
  test('requests it in each of these ways, so that the refusals are meaningful', async () => {
    await using service = await openService(true)
    calls = []
    for (const [name, { go, leadsNowhere = false }] of Object.entries(ways)) {
      const before = inside.heard.length
      await go(service, `http://127.0.0.1:${inside.port}/${encodeURIComponent(name)}`)
      expect(inside.heard.length > before, name).toBe(!leadsNowhere)
    }
    for (const url of [`http://127.0.0.1:${inside.port}/read`, siteTo(`http://0x7f.1:${inside.port}/led`)]) {
      calls = [{ name: 'web_fetch', input: { url } }]
      const { json } = await execute(service, { model: 'svc-agent-1', inputs: text, config: { prompt: 'Look around' } })
      expect(json.response).toContain('Total: 5.00')
    }
    expect(inside.heard).toEqual(expect.arrayContaining(['GET /read', 'GET /led']))
  })
})

describe('tool servers of the configuration', () => {
  const serversAt = (urls: readonly string[]) =>
    Object.fromEntries(urls.filter((url) => URL.canParse(url)).map((url, n) => [`s${n}`, { url }]))

  test('are not requested under a forbidden private address, in any disguise, or by redirect', async () => {
    const before = inside.heard.length
    await using _service = await openService(false, serversAt([...disguises, ...disguises.map(siteTo)]))
    expect(inside.heard.length).toBe(before)
  })

  test('are requested where allowed, and follow no redirect even there', async () => {
    const before = inside.heard.length
    {
      await using _led = await openService(true, serversAt([siteTo(`http://127.0.0.1:${inside.port}/mcp`)]))
      expect(inside.heard.length).toBe(before)
    }
    await using _service = await openService(true, serversAt([`http://127.0.0.1:${inside.port}/mcp`]))
    expect(inside.heard.slice(before)).toContain('POST /mcp')
  })
})

describe('links in a document or schema', () => {
  /** Documents that make a viewer fetch a URL. */
  async function linking(url: string): Promise<Readonly<Record<string, [type: string, bytes: Buffer]>>> {
    const html = `<!DOCTYPE html SYSTEM "${url}?dtd"><html><head><base href="${url}"><meta http-equiv="refresh" content="0; url=${url}?refresh">
<link rel="stylesheet" href="${url}?style"><style>@import url(${url}?import); body { background: url(${url}?background) }</style>
<script src="${url}?script"></script></head><body><img src="${url}?img" srcset="${url}?srcset 2x"><iframe src="${url}?frame"></iframe>
<object data="${url}?object"></object><embed src="${url}?embed"><video src="${url}?video" poster="${url}?poster"></video>
<audio src="${url}?audio"></audio><svg><image href="${url}?svg"/><use href="${url}?use#a"/></svg><p>Total: 5.00</p></body></html>`
    const entity = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "${url}?entity"><!ENTITY % y SYSTEM "${url}?parameter"> %y;]>`
    const svg = `${entity}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"><image xlink:href="${url}?image" width="9" height="9"/><text>&x;</text></svg>`
    const links = ['image', 'attachedTemplate', 'oleObject', 'hyperlink', 'subDocument'].map(
      (kind, n) =>
        `<Relationship Id="r${n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${url}?${kind}" TargetMode="External"/>`,
    )
    const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join('')}</Relationships>`
    const word = `${entity}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><w:body><w:p><w:r><w:t>Total: 5.00 &x;</w:t><w:drawing><a:blip r:link="r0"/></w:drawing></w:r></w:p></w:body></w:document>`
    const office = 'application/vnd.openxmlformats-officedocument'
    const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${url}?open)>>/AA<</WC<</S/SubmitForm/F(${url}?submit)>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToR/F(${url}?goto)>>>>]/Resources<</XObject<</I 5 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F 12 Tf 9 99 Td (Total: 5.00) Tj ET /I Do
endstream endobj
5 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 0/F<</FS/URL/F(${url}?stream)>>/FFilter/DCTDecode>>stream

endstream endobj
trailer<</Root 1 0 R>>
%%EOF`
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-KEY:METHOD=AES-128,URI="${url}?key"\n#EXTINF:9,\n${url}?segment.ts\n#EXT-X-ENDLIST\n`
    const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="a" bandwidth="1"><BaseURL>${url}?dash</BaseURL></Representation></AdaptationSet></Period></MPD>`
    return {
      html: ['text/html', Buffer.from(html)],
      markdown: ['text/markdown', Buffer.from(`![a](${url}?markdown)\n\n<img src="${url}?in">\n\nTotal: 5.00`)],
      svg: ['image/svg+xml', Buffer.from(svg)],
      xml: ['application/xml', Buffer.from(`${entity}<a>&x; Total: 5.00</a>`)],
      pdf: ['application/pdf', Buffer.from(pdf)],
      docx: [
        `${office}.wordprocessingml.document`,
        await madeZip({
          '[Content_Types].xml': '<Types/>',
          'word/document.xml': word,
          'word/_rels/document.xml.rels': relations,
          'word/_rels/settings.xml.rels': relations,
          'word/settings.xml': '<w:settings xmlns:w="x"/>',
        }),
      ],
      'docx that is sound': [`${office}.wordprocessingml.document`, await madeWord([`Total: 5.00 ${url}?text`])],
      xlsx: [
        `${office}.spreadsheetml.sheet`,
        await madeExcel({ Sheet: [[`=WEBSERVICE("${url}?formula")`, `=HYPERLINK("${url}?link")`]] }),
      ],
      playlist: ['application/vnd.apple.mpegurl', Buffer.from(playlist)],
      dash: ['application/dash+xml', Buffer.from(dash)],
      concat: ['video/mp4', Buffer.from(`ffconcat version 1.0\nfile '${url}?concat'\n`)],
    }
  }

  test.each([false, true])('are never fetched, even where the address is allowed: %s', async (isAllowed) => {
    await using service = await openService(isAllowed)
    calls = []
    const before = inside.heard.length
    const url = `http://127.0.0.1:${inside.port}/`
    const documents = await linking(url)
    const states: Record<string, string> = {}
    for (const [name, [type, bytes]] of Object.entries(documents)) {
      const data = `data:${type};base64,${bytes.toString('base64')}`
      for (const kind of ['file_url', 'image_url', 'video_url', 'audio_url']) {
        const { status, json } = await execute(service, { inputs: { slot: part(kind)(data) } })
        expect(status, `${name} ${kind}`).toBe(201)
        states[`${name} ${kind}`] = json.status
      }
    }
    // Some of them are read rather than refused.
    for (const name of ['html', 'markdown', 'pdf', 'docx that is sound'])
      expect(states[`${name} file_url`], name).toBe('completed')
    expect(inside.heard.slice(before)).toEqual([])
  })

  test('in a schema are refused with their location, in every keyword and disguise, and nothing is requested', async () => {
    await using service = await openService(true)
    const before = inside.heard.length
    const url = `http://127.0.0.1:${inside.port}/schema.json`
    const schemas = [url, `${url}#/$defs/a`, ...disguises, 'file:///etc/passwd', '//127.0.0.1/a', 'a.json']
    for (const target of schemas)
      for (const json_schema of [
        { type: 'object', properties: { a: { $ref: target } } },
        { type: 'object', properties: { a: { $dynamicRef: target } } },
      ]) {
        const { status, json } = await execute(service, { inputs: text, config: { ...config, json_schema } })
        expect([status, json.detail?.[0]?.type], JSON.stringify(json_schema)).toEqual([422, 'json_schema'])
      }
    for (const json_schema of [
      { $schema: url, type: 'object', properties: { total: { type: 'number' } } },
      { $id: url, type: 'object', properties: { total: { type: 'number' } } },
    ])
      expect([201, 422]).toContain(
        (await execute(service, { inputs: text, config: { ...config, json_schema } })).status,
      )
    expect(inside.heard.slice(before)).toEqual([])
  })
})
