import { Fault } from '@skillrun/core/fault.ts'
import type { ScriptFile, ScriptRun, Scripts } from '../../adapters/sandbox/scripts.ts'

const requirementsFile = 'requirements.txt'
const linesMax = 200

/** Prints the packages that this Python lacks, or has in another version than `name==version`, one per line. */
const lookForPackages = `import sys
from importlib.metadata import PackageNotFoundError, version
for wanted in sys.argv[1:]:
    name, _, exact = wanted.partition("==")
    try:
        found = version(name)
        if exact and found != exact: print(wanted, "(found " + found + ")")
    except PackageNotFoundError:
        print(wanted)
`

/**
 * Refuses a Python script whose bundle declares packages in a requirements.txt (beside the script or at the root) that the server's Python
 * lacks. Fault `packages_missing`. Compares versions only for `==`.
 */
export async function refuseMissingPackages(scripts: Scripts, run: ScriptRun): Promise<void> {
  if (!run.script.endsWith('.py')) return
  const folder = run.script.split('/').slice(0, -1)
  const places = new Set([[...folder, requirementsFile].join('/'), requirementsFile])
  const wanted = run.bundle.filter(({ path }) => places.has(path)).flatMap(packagesIn)
  if (wanted.length === 0) return
  const path = 'look-for-packages.py'
  const look = { ...run, bundle: [{ path, bytes: Buffer.from(lookForPackages) }], inputs: [], script: path, stdin: '' }
  const { stdout } = await scripts.run({ ...look, arguments: wanted })
  const missing = stdout.split('\n').filter(Boolean)
  if (missing.length === 0) return
  throw new Fault(
    'unsupported',
    'packages_missing',
    `The script ${JSON.stringify(run.script)} needs Python packages that this server does not have: ${missing.join(', ')}. The operator can provide them with SKILLRUN_PYTHON`,
  )
}

/** Names of the packages in a requirements.txt, with `==version` if given. Ignores options, URLs and markers. */
function packagesIn({ bytes }: ScriptFile): readonly string[] {
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .slice(0, linesMax)
    .flatMap((line) => {
      const [, name, exact] = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*(?:==\s*([\w.!+-]+))?/.exec(line) ?? []
      return name === undefined ? [] : [exact === undefined ? name : `${name}==${exact}`]
    })
}

/** The remedy for a module that a script did not find; undefined for another failure. */
export function missingModule(stderr: string): string | undefined {
  const [, name] = /^ModuleNotFoundError: No module named '([^']+)'/m.exec(stderr) ?? []
  return name === undefined
    ? undefined
    : `This server's Python has no module ${JSON.stringify(name)}, and nothing can be installed while a script runs. The operator can provide it with SKILLRUN_PYTHON`
}
