// A client → its headers and the shape of its request body. Real clients differ, and many send a request id: a server that
// recognises the head it saw last must not look faster here than it is in practice.

const agents: readonly string[] = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'okhttp/5.1.0',
  'Dart/3.9 (dart:io)',
  'python-httpx/0.28.1',
  'node',
  'undici',
]

const accepts: readonly string[] = [
  '*/*',
  'application/json',
  'application/graphql-response+json, application/json',
  'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
]

const languages: readonly string[] = ['en', 'ar', 'en-GB,en;q=0.9', 'tr-TR,tr;q=0.9,en;q=0.8', 'ur-PK,ur;q=0.9']

const pick = <T>(values: readonly T[], number: number): T => values[number % values.length] as T

/** Clients with tracing send a unique id with every request: one in four does. */
const TRACED = 4

const traceHeaders = (number: number): Readonly<Record<string, string>> =>
  number % TRACED === 0 ? { 'x-request-id': `${number.toString(16).padStart(8, '0')}-bench` } : {}

export const clientHeaders = (number: number): Readonly<Record<string, string>> => ({
  'user-agent': pick(agents, number),
  accept: pick(accepts, Math.floor(number / agents.length)),
  'accept-language': pick(languages, number * 7),
  ...traceHeaders(number),
})

/** As browsers ask for a page. */
export const browserHeaders = (number: number): Readonly<Record<string, string>> => ({
  'user-agent': pick(agents, number % 3),
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': pick(languages, number),
  'accept-encoding': 'gzip, deflate, br',
})

interface Body {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

const operationName = (query: string): string | undefined => /^\s*query (\w+)/.exec(query)?.[1]

/** Apollo sends the operation name first; others the query, others the variables. */
export const asClientWrites = ({ query, variables }: Body, number: number): unknown => {
  const name = operationName(query)
  switch (number % 3) {
    case 0:
      return { ...(name !== undefined && { operationName: name }), variables, query }
    case 1:
      return { query, variables }
    default:
      return { variables, query }
  }
}
