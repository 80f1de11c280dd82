// The service's base URL → its metadata: OpenID Connect Discovery, RFC 8414 and RFC 9728.
import { proofAlgorithms } from '../access/dpop/proof.ts'
import { MCP_PATH, type Resource } from '../access/resources.ts'
import { allScopes, dataScopes, publicScopes, type Scope } from '../access/scopes.ts'
import { languages } from '../accounts/languages.ts'
import { assertionAlgorithms } from '../apps/check-jwks.ts'
import { grantTypes } from '../base/grant-types.ts'
import { acrValues } from './authorize/authentication-context.ts'
import { responseModes } from './authorize/check-response-type.ts'
import { PUSH_PATH } from './authorize/push.ts'
import { signingAlgorithms } from './signing-keys/signing-key.ts'

export const paths = {
  authorize: '/oauth/authorize',
  token: '/api/oauth/token',
  userinfo: '/api/oauth/userinfo',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
  push: PUSH_PATH,
  device: '/oauth/device_authorization',
  logout: '/oauth/logout',
  jwks: '/.well-known/jwks.json',
  graphql: '/v1/graphql',
  mcp: MCP_PATH,
  pictures: '/pictures',
} as const

/** RFC 6749 section 2.3.1: the secret in the header, or in the form. RFC 7523: a signed assertion instead. */
const secretMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const

/** One document for both well-known addresses: RFC 8414 section 2 allows OpenID Connect members besides its own. */
export const discoveryDocument = (baseUrl: string, { selfDescribed }: { readonly selfDescribed: boolean }): object => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + paths.authorize,
  token_endpoint: baseUrl + paths.token,
  userinfo_endpoint: baseUrl + paths.userinfo,
  jwks_uri: baseUrl + paths.jwks,
  revocation_endpoint: baseUrl + paths.revoke,
  introspection_endpoint: baseUrl + paths.introspect,
  pushed_authorization_request_endpoint: baseUrl + paths.push,
  device_authorization_endpoint: baseUrl + paths.device,
  end_session_endpoint: baseUrl + paths.logout,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  scopes_supported: allScopes,
  response_types_supported: ['code'],
  response_modes_supported: responseModes,
  grant_types_supported: grantTypes,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [...signingAlgorithms].reverse(),
  token_endpoint_auth_methods_supported: ['none', ...secretMethods],
  revocation_endpoint_auth_methods_supported: ['none', ...secretMethods],
  introspection_endpoint_auth_methods_supported: secretMethods,
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: proofAlgorithms,
  claims_supported: [
    'sub',
    'iss',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'sid',
    'acr',
    'amr',
    'at_hash',
    'name',
    'picture',
    'email',
    'email_verified',
  ],
  claim_types_supported: ['normal'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  acr_values_supported: acrValues,
  display_values_supported: ['page'],
  ui_locales_supported: languages,
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_pushed_authorization_requests: false,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: selfDescribed,
  protected_resources: [baseUrl + paths.graphql, baseUrl + paths.mcp],
  service_documentation: `${baseUrl}/docs`,
})

/** Assistants begin with what is public, and ask for more when a tool needs it: its refusal names the scopes. */
const scopesAt: Readonly<Record<'' | '/v1/graphql' | Resource, readonly Scope[]>> = {
  '': allScopes,
  '/v1/graphql': dataScopes,
  [MCP_PATH]: publicScopes,
}

/** RFC 9728 section 2, for the service as a whole or for one of its resources. */
export const resourceDocument = (baseUrl: string, path: keyof typeof scopesAt): object => ({
  resource: baseUrl + path,
  resource_name: 'Minaret',
  authorization_servers: [baseUrl],
  jwks_uri: baseUrl + paths.jwks,
  scopes_supported: scopesAt[path],
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: proofAlgorithms,
  dpop_bound_access_tokens_required: false,
  resource_documentation: path === MCP_PATH ? `${baseUrl}/docs/assistants` : `${baseUrl}/docs`,
})
