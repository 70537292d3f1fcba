import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { type Pages, readPages } from './pages.ts'
import { readPlainDocuments } from './plain-documents.ts'

/** Paths of the console's screens: all serve the same page, which picks the screen. */
const screens = [
  '/',
  '/executions',
  '/executions/{id}',
  '/batches',
  '/batches/{id}',
  '/review',
  '/skills',
  '/skills/{id}',
  '/files',
  '/usage',
  '/keys',
  '/users',
  '/account',
  '/health',
  '/queues',
  '/settings',
  '/audit',
  '/agents',
  '/sessions',
  '/chat',
  '/tools',
]

/** The documentation has pages, pages in folders, and scripts two folders deep. */
const documentPaths = ['/docs', '/docs/{one}', '/docs/{one}/{two}', '/docs/{one}/{two}/{three}']

const yearSeconds = 31_536_000

/** Only resources of this server may run, load or be sent. */
const policyWith = (styles: string, images: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    `img-src 'self' ${images}`,
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Page images come as blobs. */
const policy = policyWith('', 'blob:')
/** The builder of the documentation draws icons by styles; its pages show nothing of users. */
const documentPolicy = policyWith(" 'unsafe-inline'", 'data:')

const always = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
}

const notBuilt = 'The console has not been built; run npm run console. The API is described at /openapi.json.\n'

type Headers = Readonly<Record<string, string | undefined>>

const noDocumentation = 'There is no documentation here. The API is described at /docs/api and /openapi.json.\n'

/**
 * Serves the console, built into `folder`, and the documentation, built into `documentation`, or else as it is in `documents` of a
 * checkout.
 */
export function consoleRoutes(folders: { folder: string; documentation: string; documents: string }): Route[] {
  const pages = once(() => readPages(folders.folder))
  const documents = once(async () => {
    const built = await readPages(folders.documentation)
    return built.size > 0 ? built : readPlainDocuments(folders.documents)
  })
  const common = { method: 'get', tag: 'console', scope: 'public', hidden: true } as const
  const reply = { status: 200, description: 'A file of the console', contentType: 'text/html' }
  return [
    ...screens.map((path) =>
      route({
        ...common,
        path,
        operation: 'openConsole',
        summary: 'The console',
        reply,
        handle: async ({ headers }) => fileReply(await pages(), 'index.html', headers) ?? plainReply(notBuilt),
      }),
    ),
    route({
      ...common,
      path: '/docs/api',
      operation: 'openApiReference',
      summary: 'The API reference, generated from openapi.json',
      reply,
      handle: async ({ headers }) => fileReply(await pages(), 'docs.html', headers) ?? plainReply(notBuilt),
    }),
    ...documentPaths.map((path) =>
      route({
        ...common,
        path,
        operation: 'openDocumentation',
        summary: 'A page or file of the documentation',
        params: z.object({ one: z.string().optional(), two: z.string().optional(), three: z.string().optional() }),
        reply,
        handle: async ({ params: { one, two, three }, headers }) => {
          const files = await documents()
          if (files.size === 0) return plainReply(noDocumentation)
          const name = [one, two, three].filter((part) => part !== undefined).join('/') || 'index.html'
          const found = [name, `${name}.html`].map((of) => fileReply(files, of, headers)).find((of) => of)
          if (found) return { ...found, headers: { ...found.headers, 'Content-Security-Policy': documentPolicy } }
          throw new Fault('missing', 'unknown_asset', 'The documentation has no such page; see /docs')
        },
      }),
    ),
    route({
      ...common,
      path: '/assets/{name}',
      operation: 'getConsoleAsset',
      summary: 'A script, stylesheet or image of the console',
      params: z.object({ name: z.string() }),
      reply,
      handle: async ({ params, headers }) => {
        const found = fileReply(await pages(), `assets/${params.name}`, headers)
        if (!found) throw new Fault('missing', 'unknown_asset', 'The console has no such file; reload the page')
        return found
      },
    }),
  ]
}

function once(read: () => Promise<Pages>): () => Promise<Pages> {
  let reading: Promise<Pages> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

function fileReply(pages: Pages, name: string, headers: Headers): Reply | undefined {
  const file = pages.get(name)
  if (!file) return undefined
  const encoding = encodingFor(headers['accept-encoding'], Object.keys(file.bytes))
  const bytes = file.bytes[encoding] ?? file.bytes.identity
  const etag = `"${file.etag}-${encoding}"`
  // Assets have their content hash in the name; the page itself must be revalidated.
  const cache = name.startsWith('assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'
  const sent = { ...always, ETag: etag, 'Cache-Control': cache }
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known.includes(etag)) return { status: 304, stream: Readable.from([]), headers: sent }
  return {
    stream: Readable.from([bytes]),
    headers: {
      ...sent,
      'Content-Type': file.contentType,
      'Content-Length': String(bytes.length),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  }
}

/** The best available encoding that the client accepts. */
function encodingFor(accepted: string | undefined, has: readonly string[]): 'br' | 'gzip' | 'identity' {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
      .map((one) => one.split(';')[0]?.trim()),
  )
  return (['br', 'gzip'] as const).find((encoding) => has.includes(encoding) && taken.has(encoding)) ?? 'identity'
}

function plainReply(text: string): Reply {
  const bytes = Buffer.from(text)
  return {
    status: 503,
    stream: Readable.from([bytes]),
    headers: { ...always, 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': String(bytes.length) },
  }
}
