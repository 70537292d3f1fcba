import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'

/** A skill that a run may use: its name and description are in the prompt, all else is read when it is asked for. */
export interface EnabledSkill {
  readonly name: string
  readonly description: string
  /** Its scripts may run: it is of this workspace, or the request allows those of others. */
  readonly mayRunScripts: boolean
  /** Brings the bundle, once for the run. Throws Faults where its bytes are gone. */
  load(signal: AbortSignal): Promise<SkillContents>
}

/** What is in a skill's bundle. */
export interface SkillContents {
  /** The body of SKILL.md. */
  readonly instructions: string
  /** `metadata` of its front matter. */
  readonly metadata: Readonly<Record<string, Json>>
  /** Paths of scripts that the skill lists as its own. */
  readonly scripts: readonly string[]
  /** Every file by its path from the bundle's root. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  /** The bytes of a file. Fault `missing` for a path that the bundle does not have. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>
}

/** What one enabled skill takes of the prompt, in UTF-8. */
export const skillLineBytesMax = 300

/** A skill as a line of the prompt: its name and its description, cut between characters where it would be too long. */
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

/** One line of text that closes no tag: a description is written by whoever made the skill. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('<', '‹').trim()

/** The enabled skills for the prompt; empty without any. `readTool`: what their instructions are read with. */
export function skillsText(
  skills: readonly Pick<EnabledSkill, 'name' | 'description'>[],
  { readTool }: { readTool: string },
): string {
  if (skills.length === 0) return ''
  const advice = `Skills are enabled for this request. Before you begin, read the instructions of each that applies with ${readTool} and follow them.`
  return `${advice}\n<skills>\n${skills.map(skillLine).join('')}</skills>`
}

/** The enabled skills with their instructions in full, for a model that can call no tool to read them. */
export async function skillsInFull(skills: readonly EnabledSkill[], signal: AbortSignal): Promise<string> {
  if (skills.length === 0) return ''
  const parts = await Promise.all(
    skills.map(async (skill) => {
      const { instructions } = await skill.load(signal)
      return `<skill name=${JSON.stringify(skill.name)}>\n${instructions.replaceAll('</skill', '‹/skill')}\n</skill>`
    }),
  )
  return `Skills are enabled for this request. Follow the instructions of each that applies.\n${parts.join('\n')}`
}

/** The skill of this name; without a name the only one. Throws a Fault that lists those there are. */
export function findSkill(skills: readonly EnabledSkill[], name: string | undefined): EnabledSkill {
  const [only, ...others] = skills
  if (!only) throw new Fault('invalid', 'unknown_skill', 'No skill is enabled in this run')
  if (name === undefined && others.length === 0) return only
  const found = skills.find((one) => one.name === name)
  if (found) return found
  const there = skills.map((one) => one.name).join(', ')
  throw new Fault(
    'invalid',
    'unknown_skill',
    name === undefined
      ? `Say which skill: ${there}`
      : `No skill ${JSON.stringify(name)} is enabled; there are ${there}`,
  )
}
