import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'

/** A known answer: what to ask, what else shapes the answer, and the right one. */
export interface KnownCase {
  /** A UUID; `evals-` and its place, from 0, for one of the bundle. */
  readonly id: string
  /** As in a body of POST /v1/agent/execute; a slot may be `{type: "bundle_file", path}`. */
  readonly inputs: JsonObject
  readonly config: JsonObject
  readonly response: Json
}

/** Known answers that one bundle may bring. */
const bundleCasesMax = 1_000

/**
 * The cases in `evals/evals.json`: a list, or an object whose `evals` or `cases` is one. An entry has `response` (or
 * `expected`, or `expected_output`) and `inputs` (slots as in a request) or `files` (paths in the bundle), and perhaps a `prompt`. A slot
 * that is the path of a file of the bundle, or an item with a `path`, is that file. An entry without a right answer, or with
 * one that is a text for people to judge by where the skill has a schema, is left out.
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

/** One file is the slot `file`, several are the slot `files`. */
function inputsOfFiles(files: Json): JsonObject {
  if (!Array.isArray(files) || files.length === 0) return {}
  return files.length === 1 ? { file: files[0] } : { files }
}

function withFiles(value: Json, paths: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withFiles(item, paths))
  if (typeof value === 'string') {
    // Beside evals.json, or from the bundle's root.
    const path = [value, `evals/${value}`].find((one) => paths.has(one))
    return path === undefined ? value : { type: 'bundle_file', path }
  }
  if (isJsonObject(value) && typeof value['path'] === 'string') {
    const found = withFiles(value['path'], paths)
    return isJsonObject(found) ? found : value
  }
  return value
}

/** Every path of the bundle that the inputs of a case name. */
export function filesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => filesIn(item))
  if (!isJsonObject(value)) return []
  const path = value['path']
  if (value['type'] === 'bundle_file' && typeof path === 'string') return [path]
  return Object.values(value).flatMap(filesIn)
}

/** Inputs with each file of the bundle in place, as `itemOf` gives it. */
export function withItems(value: Json, itemOf: (path: string) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withItems(item, itemOf))
  if (!isJsonObject(value)) return value
  const path = value['path']
  if (value['type'] === 'bundle_file' && typeof path === 'string') return itemOf(path)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withItems(item, itemOf)]))
}
