// English: the latest requests of an app.

export const requests = {
  title: 'Latest requests',
  lead: 'Requests to the data of this app, while this page is open and for two minutes after. At most 20 of each key are written down in two seconds; variables and values are left out. They are deleted after 15 minutes.',
  outcome: 'Outcome',
  outcomes: { answered: 'answered', refused: 'refused', failed: 'failed' },
  empty: 'Nothing yet',
  emptyText: 'Send a request with a key or token of this app. It appears here within a few seconds.',
  reload: 'Reload',
  live: 'New requests appear by themselves.',
  away: 'The service does not answer. Trying again…',
  ended: 'You can no longer see the requests of this app.',
}
