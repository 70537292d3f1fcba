import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { findSkill } from '../../agent/enabled-skill.ts'
import { tool } from '../../agent/tool.ts'

/** A file that a model reads at once. */
const textBytesMax = 200_000

/** Instructions and files of the enabled skills, read when they are needed; offered in runs with skills alone. */
export const skillsRead = tool({
  name: 'skills.read',
  toolset: 'skills',
  description:
    'Reads the instructions of an enabled skill and the list of its files; with a path, the text of one of those files. Read a skill before you work by it.',
  answers:
    '{ skill: string; instructions: string; files: Array<{ path: string; bytes: number }> } | { skill: string; path: string; text: string }',
  input: z.object({
    skill: z.string().max(255).optional().describe('Its name; may be left out when there is only one'),
    path: z.string().max(1_000).optional().describe('One of the files of the skill, such as references/terms.md'),
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
        `The skill has no file ${JSON.stringify(path)}; it has ${there}`,
      )
    }
    if (file.bytes > textBytesMax)
      throw new Fault(
        'too_large',
        'bundle_file_too_large',
        `The file has ${file.bytes} bytes; ${textBytesMax} can be read`,
      )
    return { skill: skill.name, path, text: textOf(await contents.read(path, signal)) }
  },
})

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Fault('unsupported', 'no_text', 'The file is no text')
  }
}
