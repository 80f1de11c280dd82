// Queries to an endpoint, as a client sends them.

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown>
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

export interface Question {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export const post = (url: string, question: Question, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    body: JSON.stringify(question),
  })

export const ask = async (url: string, question: Question, key?: string): Promise<GraphqlAnswer> => {
  const response = await post(url, question, key === undefined ? {} : { authorization: `Bearer ${key}` })
  return (await response.json()) as GraphqlAnswer
}
