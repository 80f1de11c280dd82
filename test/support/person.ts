// A person with a browser but without script: keeps cookies, follows no redirect by itself, fills in the forms on a page.

export interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The target of a redirect, relative to the service. */
  readonly location: string | undefined
}

export interface Person {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Shown>
  /** Sends exactly these fields. */
  post(
    path: string,
    fields: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Shown>
  /** Sends a form with a file. */
  send(path: string, body: FormData): Promise<Shown>
  /** Opens `page`, takes the hidden fields of the form with this action, and submits them with `fields`. */
  submit(page: string, action: string, fields: Record<string, string>): Promise<Shown>
  signIn(email: string, password: string): Promise<Shown>
}

export const decodeHtml = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** With the fault, if it is the page of one. */
const titleOf = (page: string): string =>
  [/<title>([^<]*)/, /<h1[^>]*>([^<]*)/, /<main[^>]*>([\s\S]{0,300})/]
    .map(part => part.exec(page)?.[1]?.trim())
    .join(' · ')

/** The hidden fields of the form with this action. */
export const hiddenFieldsOf = (page: string, action: string): Record<string, string> => {
  const forms = page.match(/<form[\s\S]*?<\/form>/g) ?? []
  const form = forms.find(text => decodeHtml(text).includes(`action="${action}"`))
  if (form === undefined) throw new Error(`There is no form with the action ${action} on the page "${titleOf(page)}".`)
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)"[^>]* value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [decodeHtml(name), decodeHtml(value)]))
}

const keepCookies = (cookies: Map<string, string>, headers: Headers): void => {
  for (const cookie of headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

export const createPerson = (baseUrl: string, defaults: Record<string, string> = {}): Person => {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...defaults, ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const response = await fetch(new URL(path, baseUrl), { ...init, redirect: 'manual', headers })
    keepCookies(cookies, response.headers)
    const location = response.headers.get('location')?.replace(baseUrl, '')
    return { status: response.status, headers: response.headers, text: await response.text(), location }
  }
  const get: Person['get'] = (path, headers = {}) => send(path, { headers })
  const post: Person['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const submit: Person['submit'] = async (page, action, fields) => {
    const { text } = await get(page)
    return post(action, { ...hiddenFieldsOf(text, action), ...fields })
  }
  return {
    cookies,
    get,
    post,
    send: (path, body) => send(path, { method: 'POST', body }),
    submit,
    signIn: (email, password) => submit('/sign-in?request=', '/sign-in', { email, password }),
  }
}
