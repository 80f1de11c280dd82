// English: apps that describe themselves.

export const selfDescribed = {
  title: 'Apps that describe themselves',
  lead: 'Their client_id is the address of a document; nobody registered them, so they are in no developer’s console. People find those they allowed under Apps in their account.',
  decide: 'Decide about their hosts',
  app: 'App',
  host: 'Host',
  since: 'First seen',
  seen: 'Document last read',
  empty: 'None yet',
  emptyText: 'An app appears here once somebody was sent to sign in to it.',
}
