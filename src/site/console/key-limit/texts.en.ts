// English: the limit of one API key.

export const keyLimit = {
  label: 'Requests a minute',
  hint: 'At most this many with this key, so that one program cannot use up what the app may do. Without a number, only the limits of the app apply.',
  column: 'Limit',
  shown: '{count} a minute',
  none: 'as the app',
  change: 'Limit',
  changeNamed: 'Change the limit of {name}',
  title: 'Limit of the key {name}',
  lead: 'A changed limit applies within a second, also to requests of this minute. Over it, requests are refused with 429 and told when to come back.',
  save: 'Save the limit',
  saved: 'The limit of the key was saved.',
  fault: 'Enter a whole number from 1 to {most}, or leave it empty.',
}
