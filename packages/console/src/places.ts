/** The screens, in the groups of the navigation. */
export const places = [
  {
    group: 'Work',
    screens: [
      { path: '/', name: 'Run' },
      { path: '/executions', name: 'Executions' },
      { path: '/batches', name: 'Batches' },
      { path: '/review', name: 'Review' },
      { path: '/files', name: 'Files' },
    ],
  },
  { group: 'Build', screens: [{ path: '/skills', name: 'Skills' }] },
  {
    group: 'Operate',
    screens: [
      { path: '/usage', name: 'Usage' },
      { path: '/keys', name: 'Keys' },
      { path: '/health', name: 'Health' },
    ],
  },
] as const
