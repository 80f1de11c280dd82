// Which client sends a request → its headers and the shape of its body. Real clients differ, and many name each request: a
// server that recognises the head it saw last must not look faster here than it is for them.

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

/** Traced clients give every request an id of its own: one in four. */
const TRACED = 4

const traceHeaders = (number: number): Readonly<Record<string, string>> =>
  number % TRACED === 0 ? { 'x-request-id': `${number.toString(16).padStart(8, '0')}-bench` } : {}

export const clientHeaders = (number: number): Readonly<Record<string, string>> => ({
  'user-agent': pick(agents, number),
  accept: pick(accepts, Math.floor(number / agents.length)),
  'accept-language': pick(languages, number * 7),
  ...traceHeaders(number),
})

interface Body {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

const operationName = (query: string): string | undefined => /^\s*query (\w+)/.exec(query)?.[1]

/** Apollo names the operation first, others put the query first, others the variables. */
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
