// Tagged templates → HTML that is safe by default: everything but our own HTML is escaped.
import { html as escapeInto } from 'ghtml'

const finished = Symbol('finished HTML')

/** Safe HTML. Only `html` and `rawHtml` make it: JSON from a caller cannot carry the symbol. */
export interface Html {
  readonly [finished]: true
  readonly text: string
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[]

const render = (part: HtmlPart): string => {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeInto`${part}`
  return finished in part ? part.text : part.map(render).join('')
}

export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  rawHtml(strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : '')).join(''))

/** HTML written by us, such as one of our files; never user input. */
export const rawHtml = (text: string): Html => ({ [finished]: true, text })

export const nothing: Html = rawHtml('')

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** `true` writes the bare name; `false` and `undefined` omit the attribute. */
export const attributes = (values: Attributes): Html =>
  rawHtml(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => (value === true ? ` ${name}` : escapeInto` !${name}="${value}"`))
      .join(''),
  )
