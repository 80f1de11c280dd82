// An address that no masjid has → a page that helps to find the one that was meant.

import type { FoundMasjid } from '../find/find-masjids.ts'
import { foundList } from '../find/find-page.ts'
import { finderForm, findScript } from '../find/finder-form.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'

export const missingPage = (view: View, similar: readonly FoundMasjid[]): Html => {
  const { missing: texts } = view.texts.masjidPage
  return page(view, {
    title: texts.title,
    head: html`<meta name="robots" content="noindex"><script src="${findScript.path}" type="module"></script>`,
    main: html`<h1>${texts.title}</h1><p>${texts.happened}</p>
${similar.length > 0 && html`<h2>${texts.similar}</h2>${foundList(view, similar, undefined)}`}<h2>${texts.find}</h2><div class="card">${finderForm(view)}</div>`,
  })
}
