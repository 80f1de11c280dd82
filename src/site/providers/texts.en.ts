// English: signing in with other providers.

export const providers = {
  or: 'or',
  continueWith: 'Continue with {provider}',
  away: 'This provider does not answer at the moment. Sign in another way, or try again later.',
  refused: 'The sign-in with this provider did not work. Sign in another way, or try again.',
  denied: 'You cancelled the sign-in at the provider.',
  unknown: 'This sign-in took too long, or began in another browser. Start again.',
  disabled: 'This account is not active. Ask the administrators of this service.',
  heading: 'Other ways to sign in',
  text: 'Sign in here with an account that you have elsewhere. To link one, you sign in there too.',
  linkedSince: 'Linked on {date}',
  used: 'Last used {date}',
  linkWith: 'Link {provider}',
  unlink: 'Remove',
  unlinkNamed: 'Remove {provider}',
  linked: 'The account is linked. You can sign in with it from now on.',
  unlinked: 'The account is no longer linked.',
  taken: 'That account is linked to somebody else here. Nothing was changed.',
  last: 'This is your only way to sign in, so it stays. Choose a password or add a passkey first.',
  noPassword: 'Your account has no password.',
  againWith: 'Confirm with {provider}',
  againElsewhere: 'That opens in another tab. Once you have confirmed there, come back here and go on.',
  againFailed: 'That did not confirm that it is you. Use the account that is linked here, and sign in there again.',
  existsTitle: 'You already have an account here',
  existsText:
    'There is an account with the address {email}. Sign in to it first; then you can link {provider} on its security page. We never link accounts by their address alone, because addresses can change hands.',
  existsButton: 'Sign in to your account',
  existsForgot: 'You do not know its password? Ask for a new one: the link goes to that address.',
  unverifiedTitle: '{provider} has not confirmed your email address',
  unverifiedText:
    'We only create an account with an address that the provider has confirmed. Create an account here, and link {provider} afterwards.',
}
