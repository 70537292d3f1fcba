import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@skillrun/core/clock.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBubblewrap, unprivilegedUser } from '../bubblewrap.ts'
import { findPython } from '../interpreters.ts'
import { refusedScripts, type ScriptResult, type ScriptRun, type Scripts } from '../scripts.ts'
import { createBubblewrapScripts } from './bubblewrap-scripts.ts'

const looked = await findBubblewrap({ environment: process.env, hidden: [], as: unprivilegedUser })
const missing = 'missing' in looked ? looked.missing : undefined
// Where a sandbox is required, its absence is a failure and not a reason to skip.
const isSkipped = missing !== undefined && process.env['REQUIRE_SANDBOX'] !== '1'

const limits = {
  wallMs: 20_000,
  cpuSeconds: 2,
  memoryMb: 256,
  processesMax: 32,
  diskMb: 8,
  outputBytesMax: 20_000,
  filesMax: 10,
}

describe.skipIf(isSkipped)(`scripts in bubblewrap${missing === undefined ? '' : ` (${missing})`}`, () => {
  let folder: string
  let canary: string
  let scripts: Scripts
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skillrun-scripts-'))
    canary = join(folder, 'canary')
    await writeFile(canary, 'untouched')
  })
  beforeEach(() => {
    scripts = createBubblewrapScripts({
      clock: systemClock,
      python: findPython({ setting: undefined }),
      bubblewrap:
        'found' in looked ? looked.found : { path: '/nowhere/bwrap', system: [], masked: { folders: [], files: [] } },
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = (script: string, text: string, more: Partial<ScriptRun> = {}): Promise<ScriptResult> =>
    scripts.run({
      bundle: [
        { path: script, bytes: Buffer.from(text) },
        { path: 'references/terms.txt', bytes: Buffer.from('terms') },
      ],
      inputs: [],
      script,
      arguments: [],
      stdin: '',
      limits,
      signal: new AbortController().signal,
      ...more,
    })

  const sayings = [
    ['scripts/say.py', 'import sys\nprint(sys.argv[1], sys.stdin.read(), open("/skill/references/terms.txt").read())'],
    ['scripts/say.sh', 'echo "$1" "$(cat)" "$(cat /skill/references/terms.txt)"'],
    [
      'scripts/say.mjs',
      'import { readFileSync as read } from "node:fs"; console.log(process.argv[2], String(read(0)), String(read("/skill/references/terms.txt")))',
    ],
  ] as const
  test.each(sayings)('runs %s with its arguments, its input and the files of its bundle', async (script, text) => {
    const result = await run(script, text, { arguments: ['one; rm -rf /'], stdin: 'in' })
    expect(result).toMatchObject({ exitCode: 0, stdout: 'one; rm -rf / in terms\n', stderr: '', files: [] })
  })

  test.each(sayings)('runs %s also where a sandbox has no /proc, as in most containers', async (script, text) => {
    const found = 'found' in looked ? { ...looked.found, hasProc: false } : undefined
    if (found)
      scripts = createBubblewrapScripts({
        clock: systemClock,
        bubblewrap: found,
        python: findPython({ setting: undefined }),
      })
    const result = await run(script, text, { arguments: ['a'], stdin: 'in' })
    expect(result).toMatchObject({ exitCode: 0, stdout: 'a in terms\n', stderr: '', files: [] })
    expect((await run('look.sh', 'ls /proc')).exitCode).not.toBe(0)
  })

  test('returns the files, the exit code and the errors of a script', async () => {
    const result = await run('a.sh', 'mkdir -p out; printf hello > out/a.txt; echo wrong >&2; exit 3')
    expect(result).toMatchObject({ exitCode: 3, stderr: 'wrong\n', leftOut: [] })
    expect(result.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['out/a.txt', 'hello'],
    ])
  })

  test('gives a script no memory that is not counted: none under /dev, no shared memory of the kernel', async () => {
    const devices = await run(
      'dev.sh',
      'for n in 1 2 3 4; do head -c 4M /dev/zero > /dev/shm/$n; done; touch /dev/more',
    )
    expect(devices.stderr).toContain('No space left on device')
    expect(devices.stderr).toContain('Read-only file system')
    const shared = await run(
      'shared.py',
      `import ctypes, os
try:
    os.memfd_create("x")
    print("memfd")
except OSError as error:
    print(error.strerror)
print(ctypes.CDLL(None).shmget(0, 4096, 0o1600))`,
    )
    expect(shared.stdout).toBe('Function not implemented\n-1\n')
  })

  test('gives a script no socket that bypasses its network namespace', async () => {
    const { stdout } = await run(
      'families.py',
      `import socket
for family in [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 40, 38, 17]:
    try:
        socket.socket(family, socket.SOCK_STREAM if family != 38 else socket.SOCK_SEQPACKET).close()
        print(int(family), "given")
    except OSError as error:
        print(int(family), error.strerror)`,
    )
    const none = 'Address family not supported by protocol'
    expect(stdout).toBe(`1 given\n2 given\n10 given\n40 ${none}\n38 ${none}\n17 ${none}\n`)
  })

  test('ends a script that creates files without end, and reports one that kills its sandbox', async () => {
    const flood = run('names.py', 'import os\nn = 0\nwhile True:\n    n += 1\n    os.mkdir(f"/tmp/{n}")', {
      limits: { ...limits, cpuSeconds: 20 },
    })
    await expect(flood).rejects.toMatchObject({
      code: 'script_output',
      message: expect.stringContaining('100000 files'),
    })
    await expect(run('all.sh', 'kill -9 -1')).rejects.toMatchObject({ kind: 'invalid', code: 'script_killed' })
    await expect(run('parent.sh', 'kill -9 $PPID')).rejects.toMatchObject({ kind: 'invalid', code: 'script_killed' })
  })

  test('shows a script nothing of this machine: no environment, no files, no processes, no network', async () => {
    process.env['TRIAL_API_KEY'] = 'secret'
    try {
      const seen = await run(
        'look.py',
        `import os, socket
print(sorted(os.environ))
print(open('/etc/passwd').read().strip())
print([p for p in ['/etc/shadow', '/etc/hostname', '/etc/resolv.conf', '/root', '/home', ${JSON.stringify(canary)}, ${JSON.stringify(process.cwd())}] if os.path.exists(p)])
print(len([p for p in os.listdir('/proc') if p.isdigit()]))
for place in [('127.0.0.1', 22), ('1.1.1.1', 53)]:
  try: socket.create_connection(place, 1); print('connected')
  except OSError: print('no')
for path in ['/usr/x', '/x', '/node']:
  try: open(path, 'w'); print('written')
  except OSError: print('no')`,
      )
      expect(seen.stdout.split('\n')).toEqual([
        "['HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'PYTHONPATH', 'SKILLRUN_INPUTS', 'SKILLRUN_OUTPUTS', 'TMPDIR', 'TZ']",
        'nobody:x:65534:65534::/tmp:/bin/sh',
        '[]',
        '3',
        ...['no', 'no', 'no', 'no', 'no'],
        '',
      ])
    } finally {
      delete process.env['TRIAL_API_KEY']
    }
  })

  test.each([
    ['a script that sleeps', 'a.sh', 'sleep 60', { wallMs: 300 }, 'script_wall'],
    ['a flood of output', 'a.sh', 'yes', {}, 'script_output'],
    [
      'processes that fill the memory',
      'a.sh',
      'for i in 1 2 3 4 5; do python3 -c "import time; a=bytearray(120_000_000); time.sleep(30)" & done; wait',
      {},
      'script_memory',
    ],
  ])('ends %s', async (_what, script, text, bounds, code) => {
    await expect(run(script, text, { limits: { ...limits, ...bounds } })).rejects.toMatchObject({ name: 'Fault', code })
  })

  test.each([
    ['computing for ever', 'a.py', 'while True: pass', /^$/],
    ['more memory than a process may have', 'a.py', 'a = bytearray(900_000_000)', /MemoryError/],
    ['a fork bomb', 'a.sh', 'f() { f | f & }; f; sleep 0.2', /Cannot fork|fork: retry/],
    ['more than the disk holds', 'a.sh', 'head -c 20000000 /dev/zero > a', /File size limit|No space/],
    [
      'many files that fill the disk',
      'a.sh',
      'for i in 1 2 3 4; do head -c 4000000 /dev/zero > $i || exit 1; done',
      /No space/,
    ],
  ])('survives %s', async (_what, script, text, words) => {
    const { stderr, files } = await run(script, text)
    expect(stderr.replace(/^Killed$/m, '').trim()).toMatch(words)
    expect(files.reduce((sum, file) => sum + file.bytes.length, 0)).toBeLessThanOrEqual(8 * 1024 * 1024)
  })

  test('returns only regular files with plain names', async () => {
    const { files, leftOut } = await run(
      'names.py',
      `import os
os.symlink('/etc/passwd', 'link'); os.mkfifo('pipe')
for name in [b'a\\nb', b'..\\\\x', b'\\xff', b'c:x', b' x', b'ok', b'OK']: open(name, 'w').write('x')`,
    )
    expect(files.map((file) => file.path)).toEqual(['OK'])
    expect(leftOut.toSorted()).toEqual([
      'a file whose name is already taken by another',
      'a file whose name is not UTF-8',
      'a file whose name is not a plain relative path',
      'an entry that is not a regular file',
    ])
  })

  const inputs = [
    { path: 'form.pdf', alias: 'form', bytes: Buffer.from('%PDF form') },
    { path: 'papers/0', bytes: Buffer.from('nested') },
    { path: "odd 'name' $(id) -n;\u00e4.txt", bytes: Buffer.from('odd') },
    { path: 'empty', bytes: Buffer.alloc(0) },
    { path: 'large.bin', bytes: Buffer.alloc(3_000_000, 7) },
  ]

  test('shows a script its inputs, under names in the environment as well, and returns only what it made', async () => {
    const result = await run(
      'read.py',
      `import os
folder = os.environ['SKILLRUN_INPUTS']
print(folder == os.path.abspath('inputs'), os.environ['SKILLRUN_OUTPUTS'] == os.path.abspath('outputs'))
for at, _, names in sorted(os.walk('inputs')):
    for name in sorted(names): print(os.path.relpath(os.path.join(at, name), 'inputs'), len(open(os.path.join(at, name), 'rb').read()))
print(open('inputs/form').read())
os.makedirs('outputs/sub')
open('outputs/sub/made.txt', 'w').write('made')
open('beside.txt', 'w').write('beside')`,
      { inputs },
    )
    expect(result.stderr).toBe('')
    expect(result.stdout.trim().split('\n')).toEqual([
      'True True',
      ...['empty 0', 'form 9', 'form.pdf 9', 'large.bin 3000000', "odd 'name' $(id) -n;\u00e4.txt 3", 'papers/0 6'],
      '%PDF form',
    ])
    expect(result.files.map(({ path }) => path)).toEqual(['beside.txt', 'outputs/sub/made.txt'])
    expect(result.leftOut).toEqual([])
  })

  test('lets a script change neither its inputs nor their folder', async () => {
    const { stdout, stderr } = await run(
      'write.py',
      `import os, shutil
def attempt(what, work):
    try: work(); print(what, 'done')
    except OSError as error: print(what, error.strerror)
attempt('write', lambda: open('inputs/form.pdf', 'a').write('x'))
attempt('alias', lambda: open('inputs/form', 'r+').write('x'))
attempt('create', lambda: open('inputs/new', 'w').write('x'))
attempt('delete', lambda: os.unlink('inputs/form.pdf'))
attempt('rename', lambda: os.rename('inputs/form.pdf', 'inputs/other'))
attempt('mode', lambda: os.chmod('inputs/form.pdf', 0o666))
attempt('link', lambda: os.link('inputs/form.pdf', 'outputs/form.pdf'))
attempt('folder', lambda: os.rename('inputs', 'away'))
attempt('remove', lambda: os.rmdir('inputs'))
attempt('mount', lambda: os.symlink('/etc', 'inputs/etc'))
print(open('inputs/form.pdf').read())`,
      { inputs },
    )
    expect(stderr).toBe('')
    const readOnly = 'Read-only file system'
    expect(stdout.trim().split('\n')).toEqual([
      ...['write', 'alias'].map((what) => `${what} Permission denied`),
      ...['create', 'delete', 'rename', 'mode'].map((what) => `${what} ${readOnly}`),
      'link Invalid cross-device link',
      'folder Device or resource busy',
      expect.stringMatching(/^remove (Device or resource busy|Directory not empty)$/),
      `mount ${readOnly}`,
      '%PDF form',
    ])
  })

  test('keeps nothing of outputs but regular files with plain names, and follows no link out of them', async () => {
    const { files, leftOut, stderr } = await run(
      'outputs.py',
      `import os
os.symlink('/etc/passwd', 'outputs/passwd'); os.symlink('../inputs', 'outputs/inputs'); os.symlink('/skill', 'outputs/skill')
os.mkfifo('outputs/pipe')
try: os.mknod('outputs/device', 0o60666, os.makedev(8, 0))
except OSError: pass
open('a', 'w').write('linked'); os.link('a', 'outputs/hard')
for name in [b'line\\nbreak', b'..\\\\x', b'\\xff', b'c:x', b' x', b'-rf', b'$(id)']: open(b'outputs/' + name, 'w').write('x')`,
      { inputs },
    )
    expect(stderr).toBe('')
    expect(files.map(({ path }) => path)).toEqual(['a', 'outputs/$(id)', 'outputs/-rf'])
    expect(leftOut.toSorted()).toEqual([
      'a file whose name is not UTF-8',
      'a file whose name is not a plain relative path',
      'an entry that is not a regular file',
    ])
    for (const place of ['inputs', '/etc', '/skill', '/'])
      expect(
        (await run('replace.py', `import os\nos.rmdir('outputs'); os.symlink('${place}', 'outputs')`, { inputs }))
          .files,
      ).toEqual([])
  })

  test('limits the number and the size of outputs', async () => {
    const many = await run('many.sh', 'for n in $(seq 20); do echo $n > outputs/$n; done')
    expect([many.files.length, many.leftOut]).toEqual([10, ['files beyond 10']])
    const large = await run('large.sh', 'for n in 1 2 3; do head -c 4000000 /dev/zero > outputs/$n; done')
    expect(large.stderr).toContain('No space')
  })

  test('runs bash scripts, and modules of the bundle import each other', async () => {
    expect((await run('a.bash', 'x=(1 2); [ -n "$BASH_VERSION" ] && echo $((x[1]))')).stdout).toBe('2\n')
    expect((await run('a.sh', 'x=(1 2); echo $((x[1]))')).stdout).toBe('2\n')
    const bundle = [
      {
        path: 'scripts/main.py',
        bytes: Buffer.from('from lib.part import word\nfrom beside import other\nprint(word, other)'),
      },
      { path: 'scripts/beside.py', bytes: Buffer.from('other = "beside"') },
      { path: 'lib/part.py', bytes: Buffer.from('word = "part"') },
    ]
    const { stdout, stderr } = await run('scripts/main.py', '', { bundle })
    expect([stderr, stdout]).toEqual(['', 'part beside\n'])
  })

  test('runs Python scripts in the environment of SKILLRUN_PYTHON, and refuses them where there is none', async () => {
    if (!('found' in looked)) throw new Error('there is no sandbox')
    const environment = join(folder, 'environment')
    execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', environment])
    const [library = ''] = await readdir(join(environment, 'lib'))
    await writeFile(join(environment, 'lib', library, 'site-packages', 'only_here.py'), 'word = "only here"')
    for (const one of [folder, environment]) await chmod(one, 0o755)
    const withPython = (setting: string, hidden: readonly string[] = []) =>
      createBubblewrapScripts({ clock: systemClock, bubblewrap: looked.found, python: findPython({ setting, hidden }) })
    const program = 'import only_here, subprocess\nprint(only_here.word)\nopen("/dev/null").close()'
    for (const setting of [environment, join(environment, 'bin', 'python3')]) {
      scripts = withPython(setting)
      const { stdout, stderr } = await run('a.py', program)
      expect([stderr, stdout], setting).toEqual(['', 'only here\n'])
      expect((await run('a.py', `open(${JSON.stringify(join(environment, 'x'))}, "w")`)).stderr).toContain('Read-only')
      expect((await run('a.py', `print(__import__('os').path.exists(${JSON.stringify(canary)}))`)).stdout).toBe(
        'False\n',
      )
    }
    for (const [setting, hidden, words] of [
      [join(folder, 'nothing'), [], 'neither a Python interpreter nor'],
      [environment, [join(environment, 'data')], 'which scripts must not see'],
    ] as const) {
      scripts = withPython(setting, hidden)
      await expect(run('a.py', 'print(1)')).rejects.toMatchObject({
        code: 'interpreter_missing',
        message: expect.stringContaining(words),
      })
      expect((await run('a.sh', 'echo 1')).stdout).toBe('1\n')
    }
  })

  test('ends the processes that a script left running, and touches nothing outside', async () => {
    const { stdout } = await run('stay.sh', '(sleep 60 &); (while :; do :; done &); echo done')
    expect(stdout).toBe('done\n')
    expect(existsSync(canary)).toBe(true)
  })

  test.runIf('found' in looked && looked.found.endsNesting)(
    'prevents a script from creating its own sandbox',
    async () => {
      const { exitCode, stdout } = await run('nest.sh', 'unshare -U echo nested')
      expect([exitCode === 0, stdout]).toEqual([false, ''])
    },
  )

  test('ends with the reason of its abort', async () => {
    const control = new AbortController()
    const running = run('a.sh', 'sleep 60', { signal: control.signal })
    control.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(run('a.sh', 'true', { signal: control.signal })).rejects.toThrow('enough')
  })

  test.each(['../a.py', 'references/terms.txt', 'nowhere.py'])(
    'refuses %s, which is not a script of the bundle',
    async (script) => {
      const bundle = [{ path: 'references/terms.txt', bytes: Buffer.from('') }]
      await expect(run('a.py', '', { bundle, script })).rejects.toMatchObject({ code: 'script_unknown' })
    },
  )
})

test('scripts are refused with the reason where this machine has no sandbox', async () => {
  const signal = new AbortController().signal
  const refused = refusedScripts('bubblewrap is not installed')
  await expect(
    refused.run({ bundle: [], inputs: [], script: 'a.py', arguments: [], stdin: '', limits, signal }),
  ).rejects.toMatchObject({
    code: 'scripts_unavailable',
    message: expect.stringContaining('bubblewrap is not installed'),
  })
})
