// English: an app that signs with a key instead of a secret.

export const signing = {
  heading: 'Sign with a key',
  text: 'Instead of sending a secret, a confidential app can sign with a private key that never leaves its server (private_key_jwt). While it has keys here, its secrets are refused.',
  active: 'This app signs with its keys. Its secrets are refused.',
  jwks: 'Public keys (JWKS)',
  jwksHint: 'A JSON document with the public keys: ES256, ES384, EdDSA, RS256 or PS256. Never paste a private key.',
  jwksUri: 'Or the address of the keys (jwks_uri)',
  jwksUriHint:
    'An https address where your server publishes them. We fetch it when needed, so that you can change keys there.',
  save: 'Use these keys',
  stop: 'Use secrets again',
  saved: 'The keys are in force.',
  stopped: 'The app has no keys any more. Its secrets work again.',
  faults: {
    not_json: 'This is not a JSON document.',
    no_keys: 'There are no keys in it. Write {"keys": [ … ]}.',
    too_many_keys: 'At most ten keys are possible.',
    private_key:
      'There is a private key in it. Replace that key, since it has left its place, and paste public keys only.',
    unusable_key: 'One of the keys cannot be used: EC (P-256, P-384), Ed25519, or RSA of at least 2048 bits.',
    repeated_kid: 'Several keys need a kid each, all of them different.',
    not_web_address: 'Write a public https address without a port.',
    both: 'Give the keys or their address, not both.',
    neither: 'Give the keys or their address.',
  },
}
