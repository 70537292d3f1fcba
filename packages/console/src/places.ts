import type { Scope } from './rights.ts'

interface Group {
  readonly group: string
  readonly screens: readonly { readonly path: string; readonly name: string; readonly needs?: Scope }[]
}

/** The screens, in the groups of the navigation; `needs`: the scope without which a screen is of no use. */
export const places: readonly Group[] = [
  {
    group: 'Work',
    screens: [
      { path: '/', name: 'Run', needs: 'execute' },
      { path: '/chat', name: 'Chat', needs: 'execute' },
      { path: '/executions', name: 'Executions' },
      { path: '/batches', name: 'Batches' },
      { path: '/review', name: 'Review' },
      { path: '/files', name: 'Files' },
      { path: '/sessions', name: 'Sessions' },
    ],
  },
  {
    group: 'Build',
    screens: [
      { path: '/skills', name: 'Skills' },
      { path: '/agents', name: 'Agents' },
      { path: '/tools', name: 'Tools' },
    ],
  },
  {
    group: 'Operate',
    screens: [
      { path: '/queues', name: 'Queues' },
      { path: '/usage', name: 'Usage' },
      { path: '/keys', name: 'Keys', needs: 'admin' },
      { path: '/users', name: 'Users', needs: 'admin' },
      { path: '/settings', name: 'Settings' },
      { path: '/audit', name: 'Audit log', needs: 'admin' },
      { path: '/health', name: 'Health' },
    ],
  },
]
