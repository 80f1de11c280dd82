// English: tokens that are bound to a key.

export const boundTokens = {
  heading: 'Tokens bound to a key',
  text: 'With DPoP (RFC 9449), a stolen token is useless without the private key of your app. Any app may send proofs; here you decide whether tokens are issued without one.',
  label: 'Tokens',
  fact: 'Tokens bound to a key (DPoP)',
  choices: { optional: 'With or without a proof', required: 'Only with a proof (dpop_bound_access_tokens)' },
  saved: 'It applies to tokens that are issued from now on.',
}
