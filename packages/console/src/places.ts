/** The screens, in the groups of the navigation. */
export const places = [
  {
    group: 'Work',
    screens: [
      { path: '/', name: 'Run' },
      { path: '/chat', name: 'Chat' },
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
      { path: '/keys', name: 'Keys' },
      { path: '/users', name: 'Users' },
      { path: '/settings', name: 'Settings' },
      { path: '/audit', name: 'Audit log' },
      { path: '/health', name: 'Health' },
    ],
  },
] as const
