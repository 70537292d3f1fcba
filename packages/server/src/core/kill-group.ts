import type { ChildProcess } from 'node:child_process'

/**
 * Kills a child that was started `detached`, and with it what it has started. Killing bubblewrap alone while it is still
 * setting up would leave the program inside it without a parent.
 */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended, or has no group of its own yet.
    child.kill('SIGKILL')
  }
}
