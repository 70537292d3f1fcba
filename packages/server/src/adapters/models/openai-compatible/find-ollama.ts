import { connect } from 'node:net'

/** A model that a running Ollama serves. */
export interface FoundModel {
  readonly name: string
  readonly bytes: number
  readonly takesImages: boolean
  readonly callsTools: boolean
}

interface Tags {
  readonly models?: readonly { readonly name?: string; readonly size?: number }[]
}
interface Shown {
  readonly capabilities?: readonly string[]
}

/** Models whose capabilities are fetched. */
const modelsMax = 8

/**
 * The models of an Ollama at this address, smallest first; undefined when none answers within `ms`. Embedding models are
 * left out. See https://github.com/ollama/ollama/blob/main/docs/api.md, `/api/tags` and `/api/show`.
 */
export async function findOllama(baseUrl: string, ms: number): Promise<readonly FoundModel[] | undefined> {
  const signal = AbortSignal.timeout(ms)
  // Most machines run none, and loading fetch takes longer than this check.
  if (!(await isListening(new URL(baseUrl), signal))) return undefined
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(new URL(path, baseUrl), { ...init, redirect: 'error', signal })
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    return (await response.json()) as T
  }
  let tags: Tags
  try {
    tags = await ask<Tags>('/api/tags')
  } catch {
    return undefined
  }
  const listed = (tags.models ?? []).flatMap(({ name, size }) => (name ? [{ name, bytes: size ?? 0 }] : []))
  const found = await Promise.all(
    listed.slice(0, modelsMax).map(async (model) => {
      const shown = await ask<Shown>('/api/show', { model: model.name }).catch(() => undefined)
      return { ...model, capabilities: shown?.capabilities ?? [] }
    }),
  )
  return found
    .filter(({ name, capabilities }) => !/embed/i.test(name) && !capabilities.includes('embedding'))
    .map(({ name, bytes, capabilities }) => ({
      name,
      bytes,
      takesImages: capabilities.includes('vision'),
      callsTools: capabilities.includes('tools'),
    }))
    .sort((left, right) => left.bytes - right.bytes)
}

function isListening(url: URL, signal: AbortSignal): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, signal })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
