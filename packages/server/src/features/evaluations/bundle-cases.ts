import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'

/** A case: inputs, options that shape the answer, and the correct answer. */
export interface KnownCase {
  /** A UUID; for a case in the bundle `evals-` and its index, from 0. */
  readonly id: string
  /** As in a body of POST /v1/agent/execute; a slot may be `{type: "bundle_file", path}`. */
  readonly inputs: JsonObject
  readonly config: JsonObject
  readonly response: Json
}

/** Most cases in one bundle. */
const bundleCasesMax = 1_000

/**
 * Reads the cases in `evals/evals.json`: a list, or an object with a list in `evals` or `cases`. An entry has `response` (or `expected`, or
 * `expected_output`) and `inputs` (slots as in a request) or `files` (paths in the bundle), and optionally a `prompt`. A slot that is the
 * path of a bundle file, or an item with a `path`, stands for that file. Skips entries without a correct answer, and those with a prose
 * answer where the skill has a schema.
 */
export function casesOfBundle(
  evals: Json,
  bundle: { readonly paths: ReadonlySet<string>; readonly hasSchema: boolean },
): readonly KnownCase[] {
  const list = Array.isArray(evals) ? evals : isJsonObject(evals) ? (evals['evals'] ?? evals['cases'] ?? []) : []
  if (!Array.isArray(list)) return []
  return list.slice(0, bundleCasesMax).flatMap((entry: Json, place) => caseOf(entry, place, bundle) ?? [])
}

function caseOf(
  entry: Json,
  place: number,
  bundle: { readonly paths: ReadonlySet<string>; readonly hasSchema: boolean },
): KnownCase | undefined {
  if (!isJsonObject(entry)) return undefined
  const response = entry['response'] ?? entry['expected'] ?? entry['expected_output'] ?? null
  if (response === null || (bundle.hasSchema && typeof response === 'string')) return undefined
  const inputs = isJsonObject(entry['inputs']) ? entry['inputs'] : inputsOfFiles(entry['files'] ?? null)
  const read = Object.entries(inputs).map(([slot, value]): [string, Json] => [slot, withFiles(value, bundle.paths)])
  return {
    id: `evals-${place}`,
    inputs: Object.fromEntries(read),
    config: typeof entry['prompt'] === 'string' ? { prompt: entry['prompt'] } : {},
    response,
  }
}

/** One file becomes the slot `file`, several become `files`. */
function inputsOfFiles(files: Json): JsonObject {
  if (!Array.isArray(files) || files.length === 0) return {}
  return files.length === 1 ? { file: files[0] } : { files }
}

function withFiles(value: Json, paths: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withFiles(item, paths))
  if (typeof value === 'string') {
    // Relative to evals.json, or to the bundle's root.
    const path = [value, `evals/${value}`].find((one) => paths.has(one))
    return path === undefined ? value : { type: 'bundle_file', path }
  }
  if (isJsonObject(value) && typeof value['path'] === 'string') {
    const found = withFiles(value['path'], paths)
    return isJsonObject(found) ? found : value
  }
  return value
}

/** All paths of the bundle that the inputs of a case name. */
export function filesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => filesIn(item))
  if (!isJsonObject(value)) return []
  const path = value['path']
  if (value['type'] === 'bundle_file' && typeof path === 'string') return [path]
  return Object.values(value).flatMap(filesIn)
}

/** Replaces each bundle file in the inputs by `itemOf` of it. */
export function withItems(value: Json, itemOf: (path: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withItems(item, itemOf))
  if (!isJsonObject(value)) return value
  const path = value['path']
  if (value['type'] === 'bundle_file' && typeof path === 'string') return itemOf(path)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withItems(item, itemOf)]))
}
