/** Loaded by a script element of the page. */
declare const oidc: typeof import('oidc-client-ts')
