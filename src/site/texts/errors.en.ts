// English: what went wrong, and what to do next.

export const errors = {
  whatNext: 'What you can do',
  idLabel: 'Reference',
  newLink: 'Get a new link',
  toStart: 'Go to the start page',
  notFound: {
    title: 'There is nothing here',
    happened: 'The page may have moved, or there is a typo in the address.',
    next: 'Check the address, or go to the start page.',
  },
  forbidden: {
    title: 'This page is not for you',
    happened: 'Your account does not have the rights that this page needs.',
    next: 'If you think it should, ask an administrator of this service.',
  },
  notOnTeam: {
    title: 'This app is still being developed',
    happened:
      'Its development client works only for the accounts of the team that makes it, and yours is not one of them.',
    next: 'If you belong to the team, ask an owner of the app to invite you, or sign in with another account. Otherwise wait until the app is approved.',
  },
  formExpired: {
    title: 'This form has expired',
    happened: 'We could not verify that the form was sent from our own page. Nothing was changed.',
    next: 'Go back, reload the page and send the form again. Cookies must be allowed.',
  },
  tooMany: {
    title: 'Too many attempts',
    happened: 'To protect accounts, and so that everybody is served, we limit how often this can be asked.',
    next: 'Wait {wait}, then try again.',
  },
  linkExpired: {
    title: 'This link no longer works',
    happened: 'It has already been used, or it is too old.',
    next: 'Ask for a new one.',
  },
  badRequest: {
    title: 'This could not be understood',
    happened: 'The request was incomplete or malformed.',
    next: 'Go back and try again.',
  },
  busy: {
    title: 'Too many people at once',
    happened: 'So many requests are waiting right now that yours was not processed. Nothing was changed.',
    next: 'Wait {wait}, then try again.',
  },
  away: {
    title: 'We cannot answer right now',
    happened: 'Our database is not available at the moment. Nothing is lost.',
    next: 'Wait {wait}, then load the page again.',
  },
  unexpected: {
    title: 'Something went wrong on our side',
    happened: 'This is our fault, not yours. It has been written to the log.',
    next: 'Try again in a minute. If it happens again, tell us the reference below.',
  },
}
