import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

/*
 * Root file systems that Debian's mmdebstrap makes, and servers that run in them by bubblewrap. They fetch some hundred megabytes from Debian's and npm's registries,
 * so they run only where REQUIRE_ROOTS is set: by .ci/run, where both can be reached.
 */
const deploy = join(import.meta.dirname, '..', 'deploy')

async function ran(script: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn('bash', [join(deploy, script)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code, said: code === 0 ? stdout : stdout + stderr }
}

describe.skipIf(!process.env['REQUIRE_ROOTS'])('in a root file system of its own', { timeout: 40 * 60_000 }, () => {
  test('the packages run with Node and npm alone: installed, backed up, upgraded, refused by the version before, restored on another machine with the same records', async () => {
    const { code, said } = await ran('try-packages.sh')
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('restored on another machine') })
  })

  test('what the image holds runs read-only, not as root and under the seccomp profile, with its sandbox', async () => {
    const { code, said } = await ran('try-image.sh')
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('restored in another place') })
  })
})
