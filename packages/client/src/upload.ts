import { failureFrom, SkillrunFailure } from './failure.ts'
import { type Http, newId } from './http.ts'
import type { File as StoredFile } from './openapi.ts'

/** Content to upload: a Blob or File, bytes, or a text. */
export type Content = Blob | Uint8Array | string

export interface UploadOptions {
  /** Required unless the content is a `File`, which has a name. */
  readonly filename?: string | undefined
  readonly purpose?: StoredFile['purpose'] | undefined
  /** Called with the bytes of the content sent so far. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Uploads a file, in pieces if there is a progress callback. Throws SkillrunFailure, or the signal's reason. */
export async function uploadFile(http: Http, content: Content, options: UploadOptions = {}): Promise<StoredFile> {
  const blob = blobOf(content)
  const given = options.filename ?? (content as { name?: string }).name ?? 'file'
  // Control characters make a header invalid; line ends and quotes are escaped when the header is written.
  const filename = given.replace(/[^\P{Cc}\r\n]/gu, ' ')
  const sending = { http, purpose: options.purpose, blob, filename, options }
  if (!options.onProgress) return sendContent(sending, formOf(sending))
  // Browsers do not report the progress of a fetch.
  return 'XMLHttpRequest' in globalThis ? sendByRequest(sending) : sendInPieces(sending)
}

function blobOf(content: Content): Blob {
  if (content instanceof Blob) return content
  return new Blob([typeof content === 'string' ? content : new Uint8Array(content)])
}

interface Sending {
  readonly http: Http
  readonly purpose: StoredFile['purpose'] | undefined
  readonly blob: Blob
  readonly filename: string
  readonly options: UploadOptions
}

function formOf({ blob, filename }: Sending): FormData {
  const form = new FormData()
  form.append('file', blob, filename)
  return form
}

const cutWords = 'The upload was interrupted: the file changed, or the server is not reachable'

async function sendContent(
  { http, purpose, options }: Sending,
  content: NonNullable<RequestInit['body']>,
  headers: Readonly<Record<string, string>> = {},
): Promise<StoredFile> {
  try {
    return await http.json<StoredFile>('/v1/files', {
      method: 'POST',
      query: { purpose },
      content,
      headers,
      signal: options.signal,
    })
  } catch (error) {
    if (!(error instanceof SkillrunFailure) || error.status !== 0 || error.code === 'file_changed') throw error
    throw new SkillrunFailure(cutWords, { status: 0, code: error.code ?? 'upload_cut', cause: error })
  }
}

/** One part of a multipart body (RFC 7578), piece by piece. */
function sendInPieces(sending: Sending): Promise<StoredFile> {
  const { blob, filename, options } = sending
  const boundary = `----skillrun-${newId()}`
  const name = filename.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${blob.type || 'application/octet-stream'}\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(head)
    },
    async pull(controller) {
      const piece = new Uint8Array(
        await blob
          .slice(sent, sent + pieceBytes)
          .arrayBuffer()
          .catch((cause: unknown) => {
            throw new SkillrunFailure(`${filename} changed during the upload; send it again`, {
              status: 0,
              code: 'file_changed',
              cause,
            })
          }),
      )
      sent += piece.length
      if (piece.length > 0) controller.enqueue(piece)
      options.onProgress?.(sent, blob.size)
      if (sent < blob.size) return
      controller.enqueue(tail)
      controller.close()
    },
  })
  return sendContent(sending, body, {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': String(head.length + blob.size + tail.length),
  })
}

const pieceBytes = 256 * 1024

/** The part of XMLHttpRequest that an upload needs; Node lacks it. */
interface BrowserRequest {
  status: number
  responseText: string
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: FormData): void
  abort(): void
}

declare const XMLHttpRequest: new () => BrowserRequest

function sendByRequest(sending: Sending): Promise<StoredFile> {
  const { http, purpose, blob, options } = sending
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return reject(options.signal.reason)
    const request = new XMLHttpRequest()
    request.open('POST', `${http.base}/v1/files${purpose ? `?purpose=${purpose}` : ''}`)
    for (const [name, value] of Object.entries(http.headers)) request.setRequestHeader(name, value)
    // The sent bytes include the form around the file, which does not count.
    request.upload.onprogress = ({ loaded, total }) =>
      options.onProgress?.(Math.max(0, Math.min(blob.size, loaded - (total - blob.size))), blob.size)
    request.onload = () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText) as StoredFile)
      reject(failureFrom(request.status, request.responseText, (name) => request.getResponseHeader(name)))
    }
    request.onerror = () => reject(new SkillrunFailure(cutWords, { status: 0, code: 'upload_cut' }))
    request.onabort = () => reject(options.signal?.reason)
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(formOf(sending))
  })
}
