import { useEffect, useRef, useState } from 'preact/hooks'
import { callRaw, wordsOf } from '../api.ts'
import type { StoredFile } from '../wire.ts'

/** Most cached images, so that returning to a page is instant. */
const keptMax = 24
const kept = new Map<string, string>()

function keep(path: string, url: string): void {
  kept.set(path, url)
  const oldest = kept.keys().next().value
  if (kept.size <= keptMax || oldest === undefined) return
  URL.revokeObjectURL(kept.get(oldest) ?? '')
  kept.delete(oldest)
}

const fetchImage = async (path: string, signal?: AbortSignal): Promise<Blob> =>
  await (await callRaw(path, signal ? { signal } : {})).blob()

/** The image that was last requested before it is shown. */
let expected: { readonly path: string; readonly blob: Promise<Blob> } | undefined

/** Requests an image that is shown soon, so that it loads beside what else the screen waits for. */
export function expectImage(path: string): void {
  if (kept.has(path) || expected?.path === path) return
  const blob = fetchImage(path)
  // The component that shows the image reports the failure.
  blob.catch(() => undefined)
  expected = { path, blob }
}

function takeExpected(path: string): Promise<Blob> | undefined {
  if (expected?.path !== path) return undefined
  const { blob } = expected
  expected = undefined
  return blob
}

/** An image of the API as an address for an <img>; `problem` says why it failed. */
export function useImage(path: string | null): { url: string | undefined; problem: string } {
  const [state, setState] = useState<{ path: string | null; url?: string; problem: string }>({ path, problem: '' })
  useEffect(() => {
    if (path === null) return
    const known = kept.get(path)
    if (known) return setState({ path, url: known, problem: '' })
    const stopped = new AbortController()
    const load = async () => {
      try {
        const blob = await (takeExpected(path) ?? fetchImage(path, stopped.signal))
        const url = URL.createObjectURL(blob)
        keep(path, url)
        if (!stopped.signal.aborted) setState({ path, url, problem: '' })
      } catch (error) {
        if (!stopped.signal.aborted) setState({ path, problem: wordsOf(error) })
      }
    }
    void load()
    return () => stopped.abort()
  }, [path])
  return state.path === path ? { url: state.url, problem: state.problem } : { url: undefined, problem: '' }
}

/** The address of a rendered page. */
export const pagePath = (fileId: string, page: number, width: number): string =>
  `/v1/files/${encodeURIComponent(fileId)}/pages/${page}?width=${width}`

/** The address of the words of a page. */
export const wordsPath = (fileId: string, page: number): string =>
  `/v1/files/${encodeURIComponent(fileId)}/pages/${page}/words`

/** Whether pages of this file type can be rendered. */
export const isDrawable = (mediaType: string): boolean =>
  mediaType === 'application/pdf' || mediaType.startsWith('image/')

/** Whether pages of this file type are shown as words: office files, books and emails. */
export const isWordy = (mediaType: string): boolean =>
  /officedocument\.|\.oasis\.opendocument\.|epub\+zip$|^message\/rfc822$/.test(mediaType)

const thumbWidth = 120

/** A thumbnail of the first page of a file, rendered when it becomes visible. */
export function PageThumb({ file }: { file: Pick<StoredFile, 'id' | 'content_type' | 'filename'> }) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      setIsSeen(true)
      watcher.disconnect()
    })
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  const wanted = isSeen && isDrawable(file.content_type)
  const { url } = useImage(wanted ? pagePath(file.id, 0, thumbWidth) : null)
  return (
    <span class="thumb" ref={place} aria-hidden="true">
      {url ? <img src={url} alt="" /> : <span>{extensionOf(file)}</span>}
    </span>
  )
}

/** A short label for a file type: its extension, or else its media type. */
const extensionOf = ({ filename, content_type }: Pick<StoredFile, 'filename' | 'content_type'>): string =>
  /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ??
  (content_type.split(/[/;+]/)[1] ?? '').replace('octet-stream', 'file').replace('plain', 'text').slice(0, 5)
