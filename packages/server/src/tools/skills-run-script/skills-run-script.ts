import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { ScriptFile, ScriptLimits, ScriptResult } from '../../adapters/sandbox/scripts.ts'
import { type EnabledSkill, findSkill, type SkillContents } from '../../agent/enabled-skill.ts'
import { tool } from '../../agent/tool.ts'

/** Short work beside a model's: a script that needs more is a program of its own. */
const scriptLimits: ScriptLimits = {
  wallMs: 60_000,
  cpuSeconds: 30,
  memoryMb: 512,
  processesMax: 64,
  diskMb: 64,
  outputBytesMax: 64 * 1024,
  filesMax: 100,
}
/** Of a file that a script leaves; longer ones, and those that are no text, are named alone. */
const shownBytesMax = 20_000

/** Scripts of the enabled skills, in a sandbox; offered in runs with skills alone. */
export const skillsRunScript = tool({
  name: 'skills.run_script',
  toolset: 'skills',
  description:
    'Runs a script of an enabled skill (.py, .sh, .js, .mjs) as its instructions say, with arguments and a text as its standard input. It has no network and sees only its own bundle, in /skill; what it writes to its folder comes back. Answers exit_code, stdout, stderr and files.',
  answers:
    '{ exit_code: number; stdout: string; stderr: string; files: Array<{ path: string; bytes: number; text?: string }>; left_out?: string[] }',
  input: z.object({
    skill: z.string().max(255).optional().describe('Its name; may be left out when there is only one'),
    script: z.string().max(1_000).describe('One of the files of the skill, such as scripts/check.py'),
    arguments: z.array(z.string().max(10_000)).max(100).default([]),
    stdin: z.string().max(1_000_000).default('').describe('What it reads from its standard input'),
  }),
  async run({ skill: name, script, arguments: given, stdin }, { skills, scripts }, signal) {
    const skill = findSkill(skills, name)
    if (!scripts) throw new Fault('unsupported', 'scripts_unavailable', 'Scripts cannot run on this server')
    const contents = await skill.load(signal)
    refuse(skill, contents, script)
    const bundle = await Promise.all(
      contents.files.map(async ({ path }): Promise<ScriptFile> => ({ path, bytes: await contents.read(path, signal) })),
    )
    const result = await scripts.run({ bundle, script, arguments: given, stdin, limits: scriptLimits, signal })
    return answerOf(result)
  },
})

/** A script runs when its skill is one's own or the request allows others', and the skill says that it has it. */
function refuse(skill: EnabledSkill, { scripts, instructions }: SkillContents, script: string): void {
  if (!skill.mayRunScripts)
    throw new Fault(
      'forbidden',
      'script_of_another',
      `The skill ${skill.name} is of another workspace: its scripts run only where the request says allow_public_scripts`,
    )
  const fileName = script.split('/').at(-1) ?? script
  if (scripts.includes(script) || instructions.includes(script) || instructions.includes(fileName)) return
  throw new Fault(
    'forbidden',
    'script_undeclared',
    `The skill ${skill.name} declares no script ${JSON.stringify(script)}: a script runs when SKILL.md names it or skill.yaml lists it under scripts`,
  )
}

function answerOf({ exitCode, stdout, stderr, files, leftOut }: ScriptResult): Json {
  return {
    exit_code: exitCode,
    stdout: stdout.toWellFormed(),
    stderr: stderr.toWellFormed(),
    files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length, ...textOf(bytes) })),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  }
}

function textOf(bytes: Uint8Array): { text?: string } {
  if (bytes.length > shownBytesMax) return {}
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? {} : { text }
  } catch {
    return {}
  }
}
