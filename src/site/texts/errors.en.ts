// English: what went wrong, and what to do next.

export const errors = {
  whatNext: 'What you can do',
  idLabel: 'Reference',
  toStart: 'Go to the start page',
  notFound: {
    title: 'There is nothing here',
    happened: 'The page may have moved, or the address has a typing mistake.',
    next: 'Check the address, or begin at the start page.',
  },
  forbidden: {
    title: 'This page is not for you',
    happened: 'Your account does not have the rights that this page needs.',
    next: 'If you think that it should, ask an administrator of this service.',
  },
  formExpired: {
    title: 'This form has expired',
    happened: 'It could not be shown that the form was sent from our own page. Nothing was changed.',
    next: 'Go back, load the page again and send the form once more. Cookies must be allowed.',
  },
  tooMany: {
    title: 'Too many attempts',
    happened: 'To protect accounts, we limit how often this can be tried.',
    next: 'Wait {wait}, then try again.',
  },
  linkExpired: {
    title: 'This link no longer works',
    happened: 'It was used already, or it is too old.',
    next: 'Ask for a new one.',
  },
  badRequest: {
    title: 'This could not be understood',
    happened: 'The request was incomplete or malformed.',
    next: 'Go back and try again.',
  },
  busy: {
    title: 'Too many people at once',
    happened: 'So many are signing in at this moment that yours could not be taken. Nothing was changed.',
    next: 'Wait {wait}, then try again.',
  },
  unexpected: {
    title: 'Something went wrong on our side',
    happened: 'This is our fault, not yours. It has been written to the log.',
    next: 'Try again in a minute. If it happens again, tell us the reference below.',
  },
}
