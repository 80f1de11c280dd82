// English: the development client of an app.

export const development = {
  clientId: 'Development client',
  lead: 'Your app works from now on, for the accounts of its team and with invented data: build the whole sign-in before anybody has reviewed it.',
  suspended: 'The app is suspended, and its development client with it.',
  secrets: 'Secret of the development client',
  secretsText: 'It works with the development client only. Two may be active at once, so that you can rotate them.',
  publicNoSecret: 'A public app has no secret, and so neither has its development client.',
  back: 'Back to the development client',
  secretRevoked: 'The secret was revoked.',
  signIn: '1. Sign in',
  signInText:
    'Save this as try.mjs and run it with Node. It signs you in with the authorization code flow and reads from the sandbox. Any address of your own machine will do as the redirect URI.',
  token: '1. Get a token for the app itself',
  tokenText: 'Put the secret in place of YOUR_CLIENT_SECRET.',
  query: '2. Query the sandbox',
  queryText: 'Put the token in place of YOUR_ACCESS_TOKEN. With live data this token is refused.',
  approval: 'What changes when the app is approved',
  approvalText:
    'One id and one address (and the secret of a confidential app). Everything else of your program stays as it is.',
  what: 'What',
  now: 'Now',
  approved: 'Once approved',
  address: 'GraphQL',
  redirect: 'Redirect URI',
  anyLoopback: 'any on this machine',
  registered: 'a registered one',
  people: 'Who can sign in',
  team: 'the team of the app',
  everybody: 'everybody',
  atApproval: 'given at the approval',
}
