// Where GraphQL is served.

export const PATH = '/v1/graphql'
export const RELAY_PATH = '/v1/relay'
/** GraphQL over SSE with a single connection. */
export const STREAM_PATH = `${PATH}/stream`
