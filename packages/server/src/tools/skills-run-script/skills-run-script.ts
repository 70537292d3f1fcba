import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { ScriptFile, ScriptLimits, ScriptResult } from '../../adapters/sandbox/scripts.ts'
import { type EnabledSkill, findSkill, type SkillContents } from '../../agent/enabled-skill.ts'
import { tool } from '../../agent/tool.ts'

/** Limits of one script run. */
const scriptLimits: ScriptLimits = {
  wallMs: 60_000,
  cpuSeconds: 30,
  memoryMb: 512,
  processesMax: 64,
  diskMb: 64,
  outputBytesMax: 64 * 1024,
  filesMax: 100,
}
/** Output files up to this size are returned with their text; longer and binary ones only with path and size. */
const shownBytesMax = 20_000

/** Runs scripts of the enabled skills in a sandbox. Offered only in runs with skills. */
export const skillsRunScript = tool({
  name: 'skills.run_script',
  toolset: 'skills',
  description:
    'Run a script of an enabled skill (.py, .sh, .js or .mjs) in a sandbox, as the instructions of the skill say. The script has no network and sees only the files of its skill, in /skill; files it writes to its working directory are returned. It may run for 60 seconds. Returns exit_code, stdout, stderr and files; a non-zero exit_code is a failure of the script, explained in stderr. `left_out` names files that were too many or too large.',
  answers:
    '{ exit_code: number; stdout: string; stderr: string; files: Array<{ path: string; bytes: number; text?: string }>; left_out?: string[] }',
  input: z.object({
    skill: z.string().max(255).optional().describe('Name of the skill; optional if there is only one'),
    script: z.string().max(1_000).describe('Path of the script in the skill, such as scripts/check.py'),
    arguments: z.array(z.string().max(10_000)).max(100).default([]).describe('Command-line arguments'),
    stdin: z.string().max(1_000_000).default('').describe('Text passed to the script on standard input'),
  }),
  async run({ skill: name, script, arguments: given, stdin }, { skills, scripts }, signal) {
    const skill = findSkill(skills, name)
    if (!scripts)
      throw new Fault(
        'unsupported',
        'scripts_unavailable',
        'This server cannot run scripts: its sandbox is not available; the operator finds the cause with skillrun doctor',
      )
    const contents = await skill.load(signal)
    refuse(skill, contents, script)
    const bundle = await Promise.all(
      contents.files.map(async ({ path }): Promise<ScriptFile> => ({ path, bytes: await contents.read(path, signal) })),
    )
    const result = await scripts.run({ bundle, script, arguments: given, stdin, limits: scriptLimits, signal })
    return answerOf(result)
  },
})

/**
 * Refuses scripts of other workspaces' skills unless the request allows them, and scripts that the skill does not declare.
 * Faults `script_of_another`, `script_undeclared`.
 */
function refuse(skill: EnabledSkill, { scripts, instructions }: SkillContents, script: string): void {
  if (!skill.mayRunScripts)
    throw new Fault(
      'forbidden',
      'script_of_another',
      `The skill ${skill.name} belongs to another workspace: its scripts run only if the request sets allow_public_scripts`,
    )
  const fileName = script.split('/').at(-1) ?? script
  if (scripts.includes(script) || instructions.includes(script) || instructions.includes(fileName)) return
  throw new Fault(
    'forbidden',
    'script_undeclared',
    `The skill ${skill.name} does not declare the script ${JSON.stringify(script)}: SKILL.md must mention it, or skill.yaml must list it under scripts`,
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
