import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled. */
export interface SmallDisk extends Disposable {
  readonly folder: string
  /** The file that fills it. */
  readonly ballast: string
  /** Leaves no byte free. */
  fill(): Promise<void>
  /** Frees a page. */
  freePage(): Promise<void>
}

/** Mounts a small disk; undefined where this user may not. `size` is that of `mount`, such as `320m`. */
export function mountSmallDisk(size: string): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'skillrun-disk-'))
  const ballast = join(folder, 'ballast')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    console.log('Tests of a full disk are skipped: this user may not mount one.')
    return undefined
  }
  const pageBytes = 4096
  return {
    folder,
    ballast,
    async fill() {
      const file = await open(ballast, 'a')
      for (let bytes = 16 * 1024 * 1024; bytes >= 512; ) {
        const { bytesWritten } = await file.write(Buffer.alloc(bytes)).catch(() => ({ bytesWritten: 0 }))
        if (bytesWritten < bytes) bytes /= 2
      }
      await file.close()
    },
    async freePage() {
      const file = await open(ballast, 'r+')
      const { size: bytes } = await file.stat()
      await file.close()
      await truncate(ballast, Math.max(0, bytes - pageBytes))
    },
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
