// Which pages that strangers get are kept in memory, and why others are not: the one place where that is decided. A public route that is in
// neither list is not registered.

/** Kept until something that they show changes, by path, language and the parameters that they understand. */
export const keptRoutes: readonly string[] = [
  '/',
  '/find',
  '/m/:slug',
  '/m/:slug/widget',
  '/m/:slug/prayer-times.ics',
  '/m/:slug/events.ics',
]

const file = 'a text in memory'
const sitemap = 'kept for ten minutes: its dates are days, and every change of a masjid would end it'
const menu = 'has the menu of whoever visits, and is made from what is in memory'
const beginnings = 'the beginnings of words, most of them asked for once'
const form = 'has a form with a token of whoever visits'

export const notKept: Readonly<Record<string, string>> = {
  '/find/suggestions': beginnings,
  '/m/:slug/og.png': 'the picture itself is kept, by what is on it',
  '/m/*': 'says only that there is no such page',
  '/widget.js': file,
  '/robots.txt': file,
  '/llms.txt': file,
  '/docs/:page.md': file,
  '/docs/ar/:page.md': file,
  '/docs/reference/:table.md': file,
  '/sitemap.xml': sitemap,
  '/sitemap-:number.xml': sitemap,
  '/screen': file,
  '/docs': menu,
  '/docs/search': menu,
  '/docs/*': menu,
  '/explorer': menu,
  '/m/:slug/events/:id': form,
  '/sign-in': form,
  '/sign-up': form,
  '/forgot-password': form,
  '/outbox': 'only in development, and new with each mail',
}

/** @throws for a route that nobody has thought about. */
export const isKeptRoute = (path: string): boolean => {
  if (keptRoutes.includes(path)) return true
  if (path in notKept) return false
  throw new Error(`${path} is a public page: say in src/site/frame/kept-routes.ts whether it is kept in memory.`)
}
