import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import { type ScriptFile, type ScriptLimits, type ScriptResult, scriptFolders } from '../../adapters/sandbox/scripts.ts'
import {
  documentFile,
  type EnabledSkill,
  findSkill,
  isDeclaredScript,
  type SkillContents,
} from '../../agent/enabled-skill.ts'
import { type ToolContext, tool } from '../../agent/tool.ts'
import { keepOutputs } from './keep-outputs.ts'
import { missingModule, refuseMissingPackages } from './requirements.ts'
import { scriptInputs } from './script-inputs.ts'

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
    'Run a script of an enabled skill (.py, .sh, .bash, .js, .mjs or .cjs) in a sandbox, as the instructions of the skill say. The script has no network. The files of its skill are in /skill. Its working directory has inputs/, read-only, with the inputs of this request under their names (inputs/invoice and inputs/invoice.pdf are the same file), and outputs/: each file left there is kept as an artifact. Pass such paths as arguments, for example ["inputs/form.pdf", "outputs/filled.pdf"]. To work on an artifact of an earlier call, name its id in `inputs`; it is then inputs/<id>. It may run for 60 seconds. Returns exit_code, stdout, stderr, artifacts, the paths of the inputs, and files, which are those written elsewhere in the working directory, with their text; those are not kept. To include an artifact in your answer, write {"id": "doc_…"}. A non-zero exit_code is a failure of the script, explained in stderr. `left_out` says which files were not kept, and why.',
  answers:
    '{ exit_code: number; stdout: string; stderr: string; artifacts: Array<{ id: string; path: string; bytes: number }>; inputs: string[]; files: Array<{ path: string; bytes: number; text?: string }>; left_out?: string[]; hint?: string }',
  input: z.object({
    skill: z.string().max(255).optional().describe('Name of the skill; optional if there is only one'),
    script: z.string().max(1_000).describe('Path of the script in the skill, such as scripts/check.py'),
    arguments: z.array(z.string().max(10_000)).max(100).default([]).describe('Command-line arguments'),
    inputs: z
      .array(z.string().max(1_000))
      .max(100)
      .optional()
      .describe('Names of inputs, and ids of artifacts, that the script gets; default: all inputs of the request'),
    stdin: z.string().max(1_000_000).default('').describe('Text passed to the script on standard input'),
  }),
  async run({ skill: name, script, arguments: given, inputs: wanted, stdin }, context, signal) {
    const { skills, scripts } = context
    const skill = findSkill(skills, name)
    if (!scripts)
      throw new Fault(
        'unsupported',
        'scripts_unavailable',
        'This server cannot run scripts: its sandbox is not available; the operator finds the cause with skillrun doctor',
      )
    const contents = await skill.load(signal)
    refuseOfAnother(skill)
    const bundle = await Promise.all(
      contents.files.map(async ({ path }): Promise<ScriptFile> => ({ path, bytes: await contents.read(path, signal) })),
    )
    refuseUndeclared(skill, { ...contents, bundle }, script)
    refuseClosedModule(skill, bundle, script)
    const inputs = await scriptInputs(context, wanted, signal)
    const run = { bundle, inputs, script, arguments: given, stdin, limits: scriptLimits, signal }
    await refuseMissingPackages(scripts, run)
    return answerOf(context, await scripts.run(run), inputs)
  },
})

/** Fault `script_of_another` for scripts of other workspaces' skills, unless the request allows them. */
function refuseOfAnother({ name, mayRunScripts }: EnabledSkill): void {
  if (mayRunScripts) return
  throw new Fault(
    'forbidden',
    'script_of_another',
    `The skill ${name} belongs to another workspace: its scripts run only if the request sets allow_public_scripts`,
  )
}

/** Fault `script_undeclared` for scripts that nothing leads to. */
function refuseUndeclared(
  { name }: EnabledSkill,
  {
    scripts,
    instructions,
    bundle,
  }: Pick<SkillContents, 'scripts' | 'instructions'> & { bundle: readonly ScriptFile[] },
  script: string,
): void {
  const documents = new Map(
    bundle
      .filter(({ path }) => documentFile.test(path))
      .map(({ path, bytes }) => [path, Buffer.from(bytes).toString('utf8')]),
  )
  if (isDeclaredScript(script, { scripts, instructions, documents })) return
  throw new Fault(
    'forbidden',
    'script_undeclared',
    `The skill ${name} does not declare the script ${JSON.stringify(script)}: SKILL.md, or a document that it refers to, must mention it, or skill.yaml must list it under scripts`,
  )
}

const closedModule = /^[ \t]*(import|from)[ \t]+vlmrun\b/m

/** Fault `unsupported_pipeline` for a script of another service, whose module no operator can provide. */
function refuseClosedModule({ name }: EnabledSkill, bundle: readonly ScriptFile[], script: string): void {
  const bytes = bundle.find(({ path }) => path === script)?.bytes
  if (!bytes || !script.endsWith('.py') || !closedModule.test(Buffer.from(bytes).toString('utf8'))) return
  throw new Fault(
    'unsupported',
    'unsupported_pipeline',
    `${script} of the skill ${name} is written for the vlmrun module of another service, which this server does not have: follow the instructions of the skill with your own tools`,
  )
}

async function answerOf(
  { media }: ToolContext,
  { exitCode, stdout, stderr, files, leftOut }: ScriptResult,
  inputs: readonly { readonly path: string }[],
): Promise<Json> {
  const folder = `${scriptFolders.outputs}/`
  const isOutput = ({ path }: ScriptFile): boolean => media !== undefined && path.startsWith(folder)
  const outputs = files.filter(isOutput).map(({ path, bytes }) => ({ path: path.slice(folder.length), bytes }))
  const kept = media ? await keepOutputs(media, outputs) : { artifacts: [], refused: [] }
  const left = [...leftOut, ...kept.refused]
  const hint = exitCode === 0 ? undefined : missingModule(stderr)
  return {
    exit_code: exitCode,
    stdout: stdout.toWellFormed(),
    stderr: stderr.toWellFormed(),
    artifacts: kept.artifacts.map((one) => ({ ...one })),
    inputs: inputs.map(({ path }) => `${scriptFolders.inputs}/${path}`),
    files: files
      .filter((one) => !isOutput(one))
      .map(({ path, bytes }) => ({ path, bytes: bytes.length, ...textOf(bytes) })),
    ...(left.length === 0 ? {} : { left_out: left }),
    ...(hint === undefined ? {} : { hint }),
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
