import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { findSkill } from '../../agent/enabled-skill.ts'
import { tool } from '../../agent/tool.ts'

/** The largest bundle file that a model can read. */
const textBytesMax = 200_000

/** Instructions and files of the enabled skills. Offered only in runs with skills. */
export const skillsRead = tool({
  name: 'skills.read',
  toolset: 'skills',
  description:
    'Read an enabled skill. Without `path`, returns its instructions and the list of its files; with `path`, returns the text of that file. Read the instructions of every skill that applies before you start work, and read further files only when the instructions refer to them.',
  answers:
    '{ skill: string; instructions: string; files: Array<{ path: string; bytes: number }> } | { skill: string; path: string; text: string }',
  input: z.object({
    skill: z.string().max(255).optional().describe('Name of the skill; optional if there is only one'),
    path: z.string().max(1_000).optional().describe('Path of a file of the skill, such as references/terms.md'),
  }),
  async run({ skill: name, path }, { skills }, signal) {
    const skill = findSkill(skills, name)
    const contents = await skill.load(signal)
    if (path === undefined)
      return {
        skill: skill.name,
        instructions: contents.instructions,
        files: contents.files.map((one) => ({ path: one.path, bytes: one.bytes })),
      }
    const file = contents.files.find((one) => one.path === path)
    if (!file) {
      const there = contents.files.map((one) => one.path).join(', ')
      throw new Fault(
        'missing',
        'unknown_bundle_file',
        `The skill ${skill.name} has no file ${JSON.stringify(path)}; its files are: ${there}`,
      )
    }
    if (file.bytes > textBytesMax)
      throw new Fault(
        'too_large',
        'bundle_file_too_large',
        `The file ${JSON.stringify(path)} has ${file.bytes} bytes; at most ${textBytesMax} bytes can be read`,
      )
    return { skill: skill.name, path, text: textOf(await contents.read(path, signal)) }
  },
})

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Fault('unsupported', 'no_text', 'The file is not UTF-8 text, so it cannot be read here')
  }
}
