// A sample → the query in it that anybody can run on the sandbox as it stands, if there is one.

const needsValue = /\$\w+\s*:\s*[\w[\]!]*!\s*[,)]/

const isReading = (query: string): boolean =>
  !/^\s*(mutation|subscription)\b/m.test(query) && !needsValue.test(query) && query.includes('{')

const bodyOf = (command: string): string | undefined => /-d '(\{"query":.*\})'\s*$/s.exec(command)?.[1]

const queryIn = (body: string): string | undefined => {
  try {
    const { query } = JSON.parse(body) as { query?: unknown }
    return typeof query === 'string' ? query : undefined
  } catch {
    return undefined
  }
}

/** @param language as the fence says it: `graphql live` and `graphql relay` are asked in other ways. */
export const runnableQuery = (text: string, language: string, sandboxUrl: string | undefined): string | undefined => {
  if (language === 'graphql') return isReading(text) ? text : undefined
  if (language !== 'sh' || sandboxUrl === undefined || !text.includes(`${sandboxUrl}/v1/graphql`)) return undefined
  const body = bodyOf(text)
  const query = body === undefined ? undefined : queryIn(body)
  return query !== undefined && isReading(query) ? query : undefined
}
