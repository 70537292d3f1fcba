import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** Tests of a package that start programs, databases or sandboxes, or that recognise pages. The others run without a database. */
const systemTestsOfPackages = [
  'packages/cli/src/{commands/*,connection}.test.ts',
  'packages/reader/training/**/*.test.ts',
  'packages/reader/src/media/{read-document,known-pages,office/office,image/read-image}.test.ts',
  'packages/server/src/adapters/{db/embedded,db/postgres,process-pool/child,queue/pgboss,sandbox,transcoder}/**/*.test.ts',
  'packages/server/src/adapters/db/migrate.test.ts',
  'packages/server/src/features/executions/{follow/waiting,store/execution-row}.test.ts',
  'packages/server/src/features/files/{content,files,presigned,upload}.test.ts',
  'packages/server/src/features/{pricing/ledger,processes/processes,programs/store,runs/text-stream,users/sign-in-by-provider}.test.ts',
  'packages/server/src/tools/media-tools.test.ts',
]

/** Tests of the memory of their own process, which others in it would have grown. */
const testsOfOwnMemory = ['test/abuse.test.ts', 'packages/server/src/features/files/upload.test.ts']

const common = {
  pool: 'forks' as const,
  // Only tests that hang reach these limits: no verdict depends on how busy the machine is.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['test/support/watch.setup.ts'],
  // One process runs many files and loads the code that they share once.
  isolate: false,
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
        },
      },
      {
        test: {
          ...common,
          name: 'system',
          include: [...systemTestsOfPackages, 'bench/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/{architecture,links}.test.ts', ...testsOfOwnMemory],
        },
      },
      {
        test: { ...common, name: 'memory', include: testsOfOwnMemory, isolate: true },
      },
    ],
  },
})
