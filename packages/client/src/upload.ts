import { failureFrom, failureOf, SkillrunFailure } from './failure.ts'
import { type Http, newId } from './http.ts'
import type { File as StoredFile } from './openapi.ts'

/** What is uploaded: a Blob or File, bytes, or a text. */
export type Content = Blob | Uint8Array | string

export interface UploadOptions {
  /** Needed where the content is no `File`, which has its own. */
  readonly filename?: string | undefined
  readonly purpose?: StoredFile['purpose'] | undefined
  /** Told how many of the content's bytes have gone out. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Uploads a file, in pieces where somebody watches. Throws SkillrunFailure, or the signal's reason. */
export async function uploadFile(http: Http, content: Content, options: UploadOptions = {}): Promise<StoredFile> {
  const blob = blobOf(content)
  const given = options.filename ?? (content as { name?: string }).name ?? 'file'
  // With a control character no header is well-formed; line ends and quotes are escaped where the header is written.
  const filename = given.replace(/[^\P{Cc}\r\n]/gu, ' ')
  const url = `${http.base}/v1/files${options.purpose ? `?purpose=${options.purpose}` : ''}`
  const sending = { http, url, blob, filename, options }
  if (!options.onProgress) return sendForm(sending)
  // Browsers do not say how far a fetch has come.
  return 'XMLHttpRequest' in globalThis ? sendByRequest(sending) : sendInPieces(sending)
}

function blobOf(content: Content): Blob {
  if (content instanceof Blob) return content
  return new Blob([typeof content === 'string' ? content : new Uint8Array(content)])
}

interface Sending {
  readonly http: Http
  readonly url: string
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

async function replyOf(sending: Sending, init: RequestInit): Promise<StoredFile> {
  const { http, url, options } = sending
  let reply: Response
  try {
    reply = await (http.ask ?? fetch)(url, {
      method: 'POST',
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${http.key}` },
      ...(options.signal ? { signal: options.signal } : {}),
    })
  } catch (cause) {
    options.signal?.throwIfAborted()
    throw new SkillrunFailure(cutWords, { status: 0, cause })
  }
  if (!reply.ok) throw await failureOf(reply)
  return (await reply.json()) as StoredFile
}

const sendForm = (sending: Sending): Promise<StoredFile> => replyOf(sending, { body: formOf(sending) })

/** As one part of a multipart body (RFC 7578), piece by piece. */
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
      const piece = new Uint8Array(await blob.slice(sent, sent + pieceBytes).arrayBuffer())
      sent += piece.length
      if (piece.length > 0) controller.enqueue(piece)
      options.onProgress?.(sent, blob.size)
      if (sent < blob.size) return
      controller.enqueue(tail)
      controller.close()
    },
  })
  return replyOf(sending, {
    body,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    duplex: 'half',
  } as RequestInit)
}

const pieceBytes = 256 * 1024

/** The part of XMLHttpRequest that an upload needs; Node has no such thing. */
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

function sendByRequest(sending: Sending): Promise<StoredFile> {
  const { http, url, blob, options } = sending
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest: new () => BrowserRequest }
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return reject(options.signal.reason)
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('Authorization', `Bearer ${http.key}`)
    // What goes out is the form around the file: its edges are not counted.
    request.upload.onprogress = ({ loaded, total }) =>
      options.onProgress?.(Math.max(0, Math.min(blob.size, loaded - (total - blob.size))), blob.size)
    request.onload = () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText) as StoredFile)
      reject(failureFrom(request.status, request.responseText, (name) => request.getResponseHeader(name)))
    }
    request.onerror = () => reject(new SkillrunFailure(cutWords, { status: 0 }))
    request.onabort = () => reject(options.signal?.reason)
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(formOf(sending))
  })
}
