// Test files that need a process of their own, and why. All others share one with the files before and after them.

export const ownProcess: ReadonlyMap<string, string> = new Map([
  ['test/support/holds.test.ts', 'changes the environment'],
  ...['postgresql-15/oldest-version', 'cluster/leader'].map(
    name => [`test/${name}.test.ts`, 'takes longer than the files of a process may'] as const,
  ),
  ['test/attacks/app/kept-requests.test.ts', 'measures the memory of its process'],
  ...['app/event-loop', 'anonymous/event-loop', 'anonymous/open-doors'].map(
    name => [`test/attacks/${name}.test.ts`, 'measures the CPU time of its thread'] as const,
  ),
  ...['app/starvation', 'anonymous/starvation', 'anonymous/greedy-address'].map(
    name => [`test/attacks/${name}.test.ts`, 'measures how long responses take'] as const,
  ),
])
