// The parts of a request → its bytes on the wire, built once and sent many times.

export interface RequestParts {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const headLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries({ host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

export const requestText = ({ method, path, headers = {}, body }: RequestParts): string => {
  const head = `${method} ${path} HTTP/1.1\r\n${headLines(headers)}`
  return body === undefined ? `${head}\r\n` : `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Without length and body: for requests whose body is built when they are sent. */
export const requestHead = ({ method, path, headers = {} }: RequestParts): string =>
  `${method} ${path} HTTP/1.1\r\n${headLines(headers)}`

export const jsonRequest = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): string =>
  requestText({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const formRequest = (
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): string =>
  requestText({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
