// English: hosts of apps that describe themselves.

export const reviewHosts = {
  title: 'Apps that describe themselves',
  lead: 'Nobody registers these apps: each has a document at its own address. Decide about the host; its apps follow at once.',
  states: { new: 'not decided', approved: 'approved', limited: 'limited', blocked: 'blocked' },
  names: 'Calls its apps',
  apps: 'Apps',
  people: 'People who allowed one',
  since: 'First seen',
  scopes: 'Scopes of its apps, if approved',
  scopesHint: 'Before approval: public data and what is the person’s own. Limited: public data only.',
  words: 'Why',
  approve: 'Approve',
  limit: 'Limit',
  block: 'Block',
  done: 'Decided. The apps of the host follow at once.',
  empty: 'No such app yet',
  emptyText: 'When somebody uses an app that describes itself, its host shows here.',
}
