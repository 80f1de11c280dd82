// What a client can exchange for tokens.

export const grantTypes = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const
