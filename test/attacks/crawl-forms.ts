// A signed-in browser and where it begins → the addresses it can reach in a few steps, and the forms on the way.
import { decodeHtml, type Person } from '../support/person.ts'

export interface Form {
  readonly action: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly takesFile: boolean
}

/** By the route that answers. */
export interface Reached {
  readonly pages: ReadonlyMap<string, string>
  readonly forms: ReadonlyMap<string, Form>
  /** Of every form, as it is on its page. */
  readonly markups: readonly string[]
}

/** The route that answers an address; undefined for those of others. */
export interface Routes {
  readonly ofPage: (path: string) => string | undefined
  readonly ofForm: (path: string) => string | undefined
}

const STEPS = 4
/** Of files, and of what ends the visit. */
const notOpened = /sign-out|\.(png|svg|ics|csv|zip)\b/

/** Of pages that differ only in what is asked for, one is opened. */
const withoutQuery = (path: string): string => path.replace(/\?.*/, '')

const markupsOf = (page: string): string[] => page.match(/<form[\s\S]*?<\/form>/g) ?? []

const formsOf = (page: string): Form[] =>
  markupsOf(page)
    .filter(form => /method="post"/.test(form))
    .map(form => ({
      action: withoutQuery(decodeHtml(/action="([^"]*)"/.exec(form)?.[1] ?? '')),
      fields: [...form.matchAll(/<(?:input|select|textarea)[^>]*? name="([^"]*)"([^>]*)/g)].map(
        ([, name = '', rest = '']) => [decodeHtml(name), decodeHtml(/ value="([^"]*)"/.exec(rest)?.[1] ?? '')] as const,
      ),
      takesFile: /type="file"/.test(form),
    }))

const linksOf = (page: string): string[] =>
  [...page.matchAll(/ href="(\/[^"#]*)/g)].map(([, href = '']) => decodeHtml(href))

/** One page of each route is opened. */
export const crawl = async (
  person: Person,
  starts: readonly string[],
  { ofPage, ofForm }: Routes,
): Promise<Reached> => {
  const [pages, forms] = [new Map<string, string>(), new Map<string, Form>()]
  const markups: string[] = []
  let links = [...starts]
  for (let step = 0; step < STEPS; step += 1) {
    const next: string[] = []
    for (const link of links) {
      const route = ofPage(withoutQuery(link))
      if (route === undefined || pages.has(route) || notOpened.test(link)) continue
      const { text, status } = await person.get(link)
      if (status !== 200) continue
      pages.set(route, withoutQuery(link))
      markups.push(...markupsOf(text))
      for (const form of formsOf(text)) forms.set(ofForm(form.action) ?? '', form)
      next.push(...linksOf(text))
    }
    links = next
  }
  return { pages, forms, markups }
}
