// Queries to an endpoint, as a client sends them.

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown>
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

export interface Question {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export const post = (
  url: string,
  question: Question,
  headers: Record<string, string> = {},
  path = '/v1/graphql',
): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    body: JSON.stringify(question),
  })

export const ask = async (url: string, question: Question, key?: string, path?: string): Promise<GraphqlAnswer> => {
  const response = await post(url, question, key === undefined ? {} : { authorization: `Bearer ${key}` }, path)
  return (await response.json()) as GraphqlAnswer
}
