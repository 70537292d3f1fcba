import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'

/** A skill that a run may use. Its name and description are in the prompt; the rest is loaded on demand. */
export interface EnabledSkill {
  readonly name: string
  readonly description: string
  /** Its scripts may run: it belongs to this workspace, or the request allows scripts of other workspaces. */
  readonly mayRunScripts: boolean
  /** Loads the bundle, once per run. Fault `missing` if its bytes were deleted. */
  load(signal: AbortSignal): Promise<SkillContents>
}

/** The contents of a skill's bundle. */
export interface SkillContents {
  /** The body of SKILL.md. */
  readonly instructions: string
  /** `metadata` of its front matter. */
  readonly metadata: Readonly<Record<string, Json>>
  /** Paths that `scripts` of skill.yaml lists. */
  readonly scripts: readonly string[]
  /** Every file; paths are relative to the bundle's root. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  /** The bytes of a file. Fault `missing` for a path that the bundle does not have. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>
}

/** The most that one enabled skill takes of the prompt, in UTF-8 bytes. */
export const skillLineBytesMax = 300

/** A skill as a line of the prompt: name and description, truncated at a character boundary. */
export function skillLine({ name, description }: Pick<EnabledSkill, 'name' | 'description'>): string {
  const line = `- ${plain(name)}: ${plain(description)}\n`
  if (Buffer.byteLength(line) <= skillLineBytesMax) return line
  const end = '…\n'
  let room = skillLineBytesMax - Buffer.byteLength(end)
  let cut = ''
  for (const character of line) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    cut += character
  }
  return cut.trimEnd() + end
}

/** One line that cannot close a tag of the prompt: descriptions are written by the skill's author. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('<', '‹').trim()

/** The enabled skills for the prompt; empty without any. `readTool` is the tool that reads their instructions. */
export function skillsText(
  skills: readonly Pick<EnabledSkill, 'name' | 'description'>[],
  { readTool }: { readTool: string },
): string {
  if (skills.length === 0) return ''
  const advice = `These skills are enabled for this request. Before you start, read the instructions of every skill that applies with ${readTool}, and follow them.`
  return `${advice}\n<skills>\n${skills.map(skillLine).join('')}</skills>`
}

/** The enabled skills with their complete instructions, for a model that cannot call a tool to read them. */
export async function skillsInFull(skills: readonly EnabledSkill[], signal: AbortSignal): Promise<string> {
  if (skills.length === 0) return ''
  const parts = await Promise.all(
    skills.map(async (skill) => {
      const { instructions } = await skill.load(signal)
      return `<skill name=${JSON.stringify(skill.name)}>\n${instructions.replaceAll('</skill', '‹/skill')}\n</skill>`
    }),
  )
  return `These skills are enabled for this request. Follow the instructions of every skill that applies.\n${parts.join('\n')}`
}

/** The skill of this name; without a name the only one. Fault `unknown_skill`, which lists the names. */
export function findSkill(skills: readonly EnabledSkill[], name: string | undefined): EnabledSkill {
  const [only, ...others] = skills
  if (!only) throw new Fault('invalid', 'unknown_skill', 'No skill is enabled for this request')
  if (name === undefined && others.length === 0) return only
  const found = skills.find((one) => one.name === name)
  if (found) return found
  const there = skills.map((one) => one.name).join(', ')
  throw new Fault(
    'invalid',
    'unknown_skill',
    name === undefined
      ? `skill is required because several skills are enabled: ${there}`
      : `No skill named ${JSON.stringify(name)} is enabled; the enabled skills are: ${there}`,
  )
}

/** Documents of a bundle that may name scripts. */
export const documentFile = /\.(md|markdown|txt|rst)$/i

/**
 * Whether a skill declares a script: skill.yaml lists it, or SKILL.md names it, or a document does that SKILL.md leads to, by its path
 * or its file name. `documents` are the texts of the bundle's documents by path.
 */
export function isDeclaredScript(
  script: string,
  skill: {
    readonly scripts: readonly string[]
    readonly instructions: string
    readonly documents: ReadonlyMap<string, string>
  },
): boolean {
  if (skill.scripts.includes(script)) return true
  const seen = new Set<string>()
  const texts = [skill.instructions]
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    if (names(text, script)) return true
    for (const [path, document] of skill.documents) {
      if (seen.has(path) || !names(text, path)) continue
      seen.add(path)
      texts.push(document)
    }
  }
  return false
}

const names = (text: string, path: string): boolean => text.includes(path.split('/').at(-1) ?? path)
