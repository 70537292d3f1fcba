import { chmod, cp, lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBinaries, packagedFolder } from './binaries.ts'
import { layOut } from './layout.ts'
import { startProgram } from './programs.ts'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'skillrun-binaries-'))
})

afterEach(() => rm(parent, { recursive: true }))

/** The package as npm installs it without scripts: no links, and here accessible only to its owner. */
async function closedPackage(): Promise<string> {
  const closed = join(parent, 'closed')
  await mkdir(closed, { mode: 0o700 })
  await cp(packagedFolder(), join(closed, 'native'), {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  })
  await writeFile(join(closed, 'package.json'), JSON.stringify({ version: 'of-this-test' }))
  await chmod(join(closed, 'native', 'lib'), 0o555)
  return join(closed, 'native')
}

test("programs that cannot run from npm's folder are copied once, including links, and run", async () => {
  const packaged = await closedPackage()
  const layout = await layOut(join(parent, 'data'))
  const binaries = await findBinaries(layout, packaged)
  try {
    expect(binaries.postgres.startsWith(packaged)).toBe(false)
    const child = startProgram(layout, binaries.postgres, { args: ['--version'], output: 'pipe' })
    const [said, complaint] = await Promise.all(
      [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
    )
    expect(complaint).toBe('')
    expect(said).toContain(`PostgreSQL) ${binaries.majorVersion}.`)

    const made = await lstat(binaries.postgres)
    expect(await findBinaries(layout, packaged)).toEqual(binaries)
    expect((await lstat(binaries.postgres)).ino).toBe(made.ino)

    await rm(binaries.initdb)
    expect(await findBinaries(layout, packaged)).toEqual(binaries)
    expect((await lstat(binaries.initdb)).size).toBeGreaterThan(0)
  } finally {
    await chmod(join(packaged, 'lib'), 0o755)
    await rm(dirname(dirname(dirname(binaries.postgres))), { recursive: true })
  }
})
