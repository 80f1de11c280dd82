// Where GraphQL is served, and times of places: an entrance answers there, ahead of the routes.

export const PATH = '/v1/graphql'
export const RELAY_PATH = '/v1/relay'
export const TIMES_PATH = '/v1/times'
/** GraphQL over SSE with a single connection. */
export const STREAM_PATH = `${PATH}/stream`
