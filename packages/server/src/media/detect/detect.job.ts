import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Box } from '@skillrun/reader/media/document.ts'
import { openImageOrPage } from '../edit/open-image.ts'
import type { Detected, DetectRequest } from './detect.ts'

/** Detectors work on 256 to 512 pixels, so more is not needed. */
const sideMax = 1_024
const detectedMax = 100
/** The lowest score that detectors report; lower ones are noise. */
const floor = 0.2

/** The parts of the optional package @vladmandic/human 3 that are used here. */
interface Detector {
  load(): Promise<void>
  detect(tensor: Tensor): Promise<{
    readonly error: string | null
    readonly face: readonly { readonly boxRaw: Box; readonly score: number }[]
    readonly object: readonly { readonly boxRaw: Box; readonly score: number; readonly label: string }[]
  }>
  readonly tf: { tensor3d(data: Uint8Array, shape: readonly number[], type: 'int32'): Tensor }
}
interface Tensor {
  dispose(): void
}
type DetectorModule = { readonly Human: new (settings: object) => Detector }

const detectors = new Map<string, Promise<Detector>>()

export default async function detect(request: DetectRequest): Promise<readonly Detected[]> {
  const { path, page, what, module, scoreMin } = request
  const opened = await openImageOrPage(path, page)
  const { data, info } = await opened
    .flatten({ background: '#ffffff' })
    .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const detector = await load(what, module)
  const tensor = detector.tf.tensor3d(new Uint8Array(data), [info.height, info.width, info.channels], 'int32')
  try {
    const { face, object, error } = await detector.detect(tensor)
    if (error) throw new Error(error)
    const found = what === 'faces' ? face.map((one) => ({ ...one, label: 'face' })) : object
    return found
      .filter(({ score }) => score >= scoreMin)
      .toSorted((left, right) => right.score - left.score)
      .slice(0, detectedMax)
      .map(({ label, score, boxRaw }) => ({ label, score, box: clipped(boxRaw) }))
  } finally {
    tensor.dispose()
  }
}

/** Clips a box to the image. */
function clipped([x, y, w, h]: Box): Box {
  const bounded = (value: number): number => Math.min(1, Math.max(0, value))
  const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
  const [left, top, right, bottom] = [bounded(x), bounded(y), bounded(x + w), bounded(y + h)]
  return [rounded(left), rounded(top), rounded(right - left), rounded(bottom - top)]
}

/** A loaded detector, cached because loading takes about 300 ms. */
function load(what: DetectRequest['what'], module: string): Promise<Detector> {
  const loading = detectors.get(what) ?? open(what, module)
  detectors.set(what, loading)
  return loading
}

async function open(what: DetectRequest['what'], module: string): Promise<Detector> {
  const packages = new URL('../../../', module)
  const { Human } = createRequire(module)(fileURLToPath(module)) as DetectorModule
  const off = { enabled: false }
  const detector = new Human({
    backend: 'wasm',
    wasmPath: fileURLToPath(new URL('@tensorflow/tfjs-backend-wasm/dist/', packages)),
    modelBasePath: new URL('@vladmandic/human/models/', packages).href,
    debug: false,
    cacheModels: false,
    filter: off,
    face: {
      enabled: what === 'faces',
      detector: { enabled: true, rotation: false, maxDetected: detectedMax, minConfidence: floor },
      // Identity, age and emotion are never computed.
      ...{ mesh: off, iris: off, description: off, emotion: off, antispoof: off, liveness: off },
    },
    object: { enabled: what === 'objects', maxDetected: detectedMax, minConfidence: floor },
    ...{ body: off, hand: off, gesture: off },
  })
  // The detector loads its weights with `fetch`, which cannot read files.
  const fetchOfNet = globalThis.fetch
  globalThis.fetch = async (input) =>
    new Response(new Uint8Array(await readFile(new URL(String(input)))), {
      headers: { 'Content-Type': typeOf(String(input)) },
    })
  try {
    await detector.load()
  } finally {
    globalThis.fetch = fetchOfNet
  }
  return detector
}

const typeOf = (place: string): string => (place.endsWith('.json') ? 'application/json' : 'application/octet-stream')
