// A database URL that may name several hosts → a URL for each.

/** In the order given: `h1:5432,h2:5432` before the path, or `?host=/a,/b&port=1,2` behind it, as libpq has it. */
export const splitHosts = (url: string): string[] => {
  const [, start = '', list = '', rest = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const inFront = list.split(',').map(host => `${start}${host}${rest}`)
  return inFront.flatMap(splitQuery)
}

const splitQuery = (url: string): string[] => {
  if (!URL.canParse(url)) return [url]
  const parsed = new URL(url)
  const hosts = parsed.searchParams.get('host')?.split(',') ?? []
  const ports = parsed.searchParams.get('port')?.split(',') ?? []
  if (hosts.length < 2) return [url]
  return hosts.map((host, index) => {
    const one = new URL(url)
    one.searchParams.set('host', host)
    const port = ports[index] ?? ports[0]
    if (port !== undefined) one.searchParams.set('port', port)
    return one.href
  })
}
