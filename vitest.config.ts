import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** Tests of a package that start programs, databases or sandboxes, or that recognise pages: most of the time of all packages. */
const systemTestsOfPackages = [
  'packages/cli/src/{commands/*,connection}.test.ts',
  'packages/reader/training/**/*.test.ts',
  'packages/reader/src/media/{read-document,known-pages,office/office,image/read-image}.test.ts',
  'packages/server/src/adapters/{db/embedded,process-pool/child,sandbox,transcoder}/**/*.test.ts',
  'packages/server/src/features/files/upload.test.ts',
  'packages/server/src/tools/media-tools.test.ts',
]

const common = {
  pool: 'forks' as const,
  // Only tests that hang reach these limits: no verdict depends on how busy the machine is.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['test/support/watch.setup.ts'],
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/database.setup.ts'],
    // Tests wait for processes, databases and browsers about half of their time.
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'test/{architecture,links}.test.ts'],
          exclude: systemTestsOfPackages,
          // One process runs many files and loads the code that they share once.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'system',
          include: [...systemTestsOfPackages, 'bench/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/{architecture,links}.test.ts'],
        },
      },
    ],
  },
})
