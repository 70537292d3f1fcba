import { Fault } from '@skillrun/core/fault.ts'
import { type Bundle, loadBundle, resolveSkills } from '../skills/skills.ts'
import { type Listed, skillsPerPage } from './skill-tools.ts'
import type { McpCall } from './tool.ts'

/** The address of a file of a skill, for clients. */
const skillUri = (name: string, path: string): string =>
  `skill://${encodeURIComponent(name)}/${path.split('/').map(encodeURIComponent).join('/')}`

export const artifactUri = (executionId: string, id: string): string => `artifact://${executionId}/${id}`

export const resourceTemplates = [
  {
    uriTemplate: 'skill://{name}/{+path}',
    name: 'skill file',
    description: 'A file of a skill: SKILL.md has its instructions',
  },
  {
    uriTemplate: 'artifact://{execution_id}/{artifact_id}',
    name: 'artifact',
    description: 'A file that an execution made',
  },
]

const unknownResource = (uri: string): Fault =>
  new Fault('missing', 'unknown_resource', `There is no resource ${JSON.stringify(uri.slice(0, 500))}`)

/** One page of the skills, and the cursor of the next. */
async function listedSkills(
  cursor: string | undefined,
  { route }: McpCall,
): Promise<{ skills: readonly Listed[]; nextCursor?: string }> {
  if (cursor !== undefined && !/^\d{1,7}$/.test(cursor))
    throw new Fault('invalid', 'bad_cursor', 'The cursor must come from the nextCursor of an earlier page')
  const offset = Number(cursor ?? 0)
  const { json } = await route('listSkills', { query: { grouped: true, offset, limit: skillsPerPage } })
  const skills = json as readonly Listed[]
  return { skills, ...(skills.length < skillsPerPage ? {} : { nextCursor: String(offset + skillsPerPage) }) }
}

/** SKILL.md of each skill. */
export async function listResources(cursor: string | undefined, call: McpCall) {
  const { skills, ...next } = await listedSkills(cursor, call)
  const resources = skills.map(({ name, description }) => ({
    uri: skillUri(name, 'SKILL.md'),
    name: `${name}/SKILL.md`,
    description,
    mimeType: 'text/markdown',
  }))
  return { resources, ...next }
}

export async function readResource(uri: string, call: McpCall) {
  const [, scheme, host = '', path = ''] = /^(skill|artifact):\/\/([^/]+)\/(.+)$/.exec(uri) ?? []
  if (scheme === 'skill')
    return { contents: [await readSkillFile(uri, { name: decoded(host), path: decoded(path) }, call)] }
  if (scheme === 'artifact') return { contents: [await readArtifact(uri, { executionId: host, id: path }, call)] }
  throw unknownResource(uri)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function readSkillFile(uri: string, of: { name: string; path: string }, call: McpCall) {
  const bundle = await bundleOf(of.name, call)
  if (!bundle.files.some(({ path }) => path === of.path)) throw unknownResource(uri)
  return contentOf(uri, await bundle.read(of.path, call.signal), of.path.endsWith('.md') ? 'text/markdown' : undefined)
}

async function readArtifact(uri: string, of: { executionId: string; id: string }, { route }: McpCall) {
  const { stream, headers } = await route('getArtifact', {
    query: { execution_id: of.executionId, object_id: of.id },
  })
  const parts: Buffer[] = []
  for await (const part of stream ?? []) parts.push(part as Buffer)
  return contentOf(uri, Buffer.concat(parts), headers?.['Content-Type'])
}

/** Bytes as text where they are UTF-8, else in base64. */
function contentOf(uri: string, bytes: Uint8Array, mimeType: string | undefined) {
  const of = { uri, ...(mimeType === undefined ? {} : { mimeType }) }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return { ...of, text }
  } catch {
    // Not UTF-8.
  }
  return { ...of, blob: Buffer.from(bytes).toString('base64') }
}

/** The bundle of a skill, by name or name:version. */
async function bundleOf(name: string, call: McpCall): Promise<Bundle> {
  const { db, caller, signal, route } = call
  // Checks the scope: `read`.
  await route('lookupSkill', { body: { name } })
  const { workspaceId } = caller
  const of = { workspaceId, entries: [{ skill_id: name }], loc: ['name'], signal }
  const [pinned] = await resolveSkills({ db, processPool: call.processPool }, of)
  if (!pinned) throw new Fault('missing', 'unknown_skill', `There is no skill ${JSON.stringify(name)}`)
  return loadBundle(call, { workspaceId, pinned, signal })
}

/** Each skill as a prompt. */
export async function listPrompts(cursor: string | undefined, call: McpCall) {
  const { skills, ...next } = await listedSkills(cursor, call)
  const prompts = skills.map(({ name, description }) => ({
    name,
    description,
    arguments: [{ name: 'task', description: 'What to do with the skill', required: false }],
  }))
  return { prompts, ...next }
}

/** The instructions of a skill for the client's own model. */
export async function getPrompt(name: string, task: string | undefined, call: McpCall) {
  const { instructions, files, description } = await bundleOf(name, call)
  const others = files.filter(({ path }) => path !== 'SKILL.md').map(({ path }) => `- ${skillUri(name, path)}`)
  const text = [
    `Follow the instructions of the skill ${name}.`,
    `<skill name=${JSON.stringify(name)}>\n${instructions}\n</skill>`,
    ...(others.length === 0 ? [] : [`Further files of the skill, as resources:\n${others.join('\n')}`]),
    `To let the server run the skill, with its scripts, call the tool run_skill with skill ${JSON.stringify(name)}.`,
    ...(task === undefined || task === '' ? [] : [`Task: ${task}`]),
  ].join('\n\n')
  return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
