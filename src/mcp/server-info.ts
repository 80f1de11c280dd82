// Who answers, as every client of the protocol is told.
export const serverInfo = { name: 'minaret', title: 'Minaret', version: '1.0.0' } as const
