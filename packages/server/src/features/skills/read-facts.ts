import { createHash } from 'node:crypto'
import { isJsonObject, isLegible, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { roles } from '../../adapters/http/route.ts'
import checkSchema from '../../agent/schema/check-schema.job.ts'
import { findSchemaProblem } from '../../agent/schema/schema.ts'
import { limits } from '../../core/limits.ts'
import { type BundleFacts, type BundleFile, badBundle } from './bundle.ts'
import { shownName } from './entry-name.ts'
import { type ApprovalDemand, readApprovalDemand, readGate } from './gate.ts'
import { readYaml } from './read-yaml.ts'
import type { Unzipped } from './read-zip.ts'
import { reviewOf } from './review.ts'
import { sortedPaths } from './write-zip.ts'

type Files = Unzipped['files']

/** Optional configuration files of a skill, in order of precedence. */
const settingsFiles = ['skill.yaml', 'vlmrun.yaml'] as const

/**
 * The files of a bundle relative to its root: SKILL.md is at the top, or in the single top folder. Throws Fault `bad_bundle` without
 * SKILL.md, or with two.
 */
export function atRoot(unzipped: Unzipped): Unzipped {
  const { files, executables } = unzipped
  const candidates = [...files.keys()].filter((path) => /^([^/]+\/)?SKILL\.md$/.test(path))
  const [first, second] = candidates
  if (first === undefined) throw badBundle(whyNoSkill(files))
  if (second !== undefined)
    throw badBundle(`The zip contains two skills, ${shownName(first)} and ${shownName(second)}; send one skill per zip`)
  if (first === 'SKILL.md') return unzipped
  const folder = first.slice(0, -'SKILL.md'.length)
  const outside = [...files.keys()].find((path) => !path.startsWith(folder))
  if (outside !== undefined)
    throw badBundle(`The entry ${shownName(outside)} is outside ${shownName(folder)}, the folder of SKILL.md`)
  const within = (path: string) => path.slice(folder.length)
  return {
    files: new Map([...files].map(([path, bytes]) => [within(path), bytes])),
    executables: new Set([...executables].map(within)),
  }
}

function whyNoSkill(files: Files): string {
  const like = [...files.keys()].find((path) => /(^|\/)skill\.md$/i.test(path))
  const found =
    like === undefined ? '' : `; ${shownName(like)} does not count, because the name must be exactly SKILL.md`
  return `The zip has no SKILL.md at its root or in its only top-level folder${found}`
}

/** Parses the files. Throws Fault `bad_bundle` with the file and the reason. */
export function readFacts(files: Files): BundleFacts {
  const { front, body } = splitFrontMatter(textOf(files, 'SKILL.md') ?? '')
  const fields = readYaml(front, 'The front matter of SKILL.md')
  const settings = readSettings(files)
  const listed = listFiles(files)
  const facts = {
    name: textField(fields, 'name', { at: frontMatter, max: limits.skillNameCharactersMax }),
    description: textField(fields, 'description', { at: frontMatter, max: limits.skillDescriptionCharactersMax }),
    instructions: body,
    schema: readSchema(files),
    ...settings,
    allowedTools: allowedTools(fields['allowed-tools'] ?? null),
    license: optionalText(fields, 'license'),
    compatibility: optionalText(fields, 'compatibility'),
    metadata: isJsonObject(fields['metadata']) ? fields['metadata'] : {},
    evals: readJsonFile(files, 'evals/evals.json') ?? null,
    files: listed,
    sha256: contentHash(listed),
  }
  return { ...facts, review: reviewOf(files, facts) }
}

const frontMatter = 'The front matter of SKILL.md'

/** SHA-256 over a line `<sha256> <path>` for each file, sorted by path: the output of `sha256sum`, hashed once more. */
function contentHash(files: readonly BundleFile[]): string {
  const hash = createHash('sha256')
  for (const { path, sha256 } of files) hash.update(`${sha256}  ${path}\n`)
  return hash.digest('hex')
}

const listFiles = (files: Files): BundleFile[] =>
  sortedPaths(files).map((path) => {
    const bytes = files.get(path) ?? Buffer.alloc(0)
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })

/** A file as text, or undefined if there is none of this name. */
function textOf(files: Files, path: string): string | undefined {
  const bytes = files.get(path)
  if (bytes === undefined) return undefined
  if (bytes.length > limits.bundleTextBytesMax)
    throw badBundle(`${path} has ${bytes.length} bytes; at most ${limits.bundleTextBytesMax} are allowed`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badBundle(`${path} must be UTF-8 text`)
  }
  if (text.includes('\u0000')) throw badBundle(`${path} must not contain NUL characters`)
  return text
}

/** The text between two lines of three hyphens at the start of the file, and the text after it. */
function splitFrontMatter(text: string): { front: string; body: string } {
  const lines = text.split(/\r?\n/)
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line))
  if (!/^---[ \t]*$/.test(lines[0] ?? '') || end === -1)
    throw badBundle('SKILL.md must start with front matter: name and description in YAML between two lines of ---')
  return {
    front: lines.slice(1, end).join('\n'),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function textField(fields: JsonObject, key: string, bounds: { at: string; max: number }): string {
  const value = fields[key]
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.trim() === '') throw badBundle(`${bounds.at} must have a ${key}, as text`)
  // Count as the wire format counts: a character outside the basic plane is one.
  if (text.length > bounds.max && [...text].length > bounds.max)
    throw badBundle(`${bounds.at} has a ${key} of more than ${bounds.max} characters`)
  return text.trim()
}

function optionalText(fields: JsonObject, key: string): string | null {
  return fields[key] === undefined || fields[key] === null
    ? null
    : textField(fields, key, { at: frontMatter, max: 1_000 })
}

/** Split at white space or commas, as the open standard and its users write them; also accepts a list. */
function allowedTools(value: Json): readonly string[] | null {
  if (value === null) return null
  if (typeof value === 'string') return value.split(/[\s,]+/).filter(Boolean)
  return texts(value, `${frontMatter}: allowed-tools`)
}

type Settings = Pick<
  BundleFacts,
  'model' | 'toolsets' | 'graph' | 'plan' | 'hosts' | 'scripts' | 'publishGate' | 'requireApproval'
>

function readSettings(files: Files): Settings {
  const name = settingsFiles.find((path) => files.has(path))
  const fields = name === undefined ? {} : readYaml(textOf(files, name) ?? '', name)
  const text = (key: string) =>
    fields[key] === undefined || fields[key] === null
      ? null
      : textField(fields, key, { at: name ?? '', max: limits.promptCharactersMax })
  return {
    model: text('model'),
    toolsets: fields['toolsets'] == null ? null : texts(fields['toolsets'], `${name}: toolsets`),
    graph: text('graph'),
    plan: text('plan'),
    hosts: fields['hosts'] == null ? [] : texts(fields['hosts'], `${name}: hosts`),
    scripts: fields['scripts'] == null ? [] : texts(fields['scripts'], `${name}: scripts`),
    publishGate: gateOf(fields['publish_gate'] ?? null, name ?? ''),
    requireApproval: demandOf(fields['require_approval'] ?? null, name ?? ''),
  }
}

/** A gate that nothing can pass would block all later versions. */
function gateOf(value: Json, name: string): Json {
  if (readGate(value) === undefined)
    throw badBundle(
      `${name}: publish_gate must be a number from 0 to 1, or a mapping of agreement (0 to 1), cases (1 or more), no_worse (true or false) and min_lift (0 to 1)`,
    )
  return value
}

/** An unreadable rule would demand nothing. */
function demandOf(value: Json, name: string): ApprovalDemand | null {
  const demand = readApprovalDemand(value)
  if (demand === undefined)
    throw badBundle(
      `${name}: require_approval must be completion, or a mapping of completion (true or false), tools (a list of tool names), timeout_seconds (1 to 604800), on_timeout (approve or reject) and approvers (a list of ${roles.join(', ')})`,
    )
  return demand
}

function texts(value: Json, where: string): readonly string[] {
  if (!Array.isArray(value) || value.length > limits.listItemsMax || value.some((item) => typeof item !== 'string'))
    throw badBundle(`${where} must be a list of at most ${limits.listItemsMax} strings`)
  return value
}

function readSchema(files: Files): JsonSchema | null {
  const schema = readJsonFile(files, 'schema.json')
  if (schema === undefined) return null
  if (!isJsonObject(schema)) throw badBundle('schema.json must be a JSON Schema in the form of an object')
  const problem = findSchemaProblem(schema) ?? checkSchema({ schema })
  if (problem) throw badBundle(`schema.json${problem.pointer ? ` at ${problem.pointer}` : ''}: ${problem.message}`)
  return schema
}

function readJsonFile(files: Files, path: string): Json | undefined {
  const text = textOf(files, path)
  if (text === undefined) return undefined
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    throw badBundle(`${path} must be valid JSON`)
  }
  // A database can keep neither, and the name of a prototype is not a valid name.
  if (!isLegible(value) || JSON.stringify(value).includes('"__proto__":'))
    throw badBundle(`${path} must not contain NUL characters, unpaired surrogates or a member named __proto__`)
  return value
}
