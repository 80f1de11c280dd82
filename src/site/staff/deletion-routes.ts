// Deleting something that staff keep: asked first, done, and taken back right afterwards.
import type { Capability } from '../../base/capability-names.ts'
import type { StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { fill } from '../pieces/fill.ts'
import { lookingAfter, type StaffVisit } from './at-masjid.ts'
import { idIn, restoreAt, writeAt } from './form-steps.ts'
import type { StaffParts } from './staff-parts.ts'

interface Deletable {
  readonly id: string
  /** What people call it. */
  readonly name: string
}

export interface Deletion {
  /** The list's route. */
  readonly base: string
  readonly capability: Capability
  /** @throws {Fault} `not_found` if it is another masjid's. */
  readonly find: (parts: StaffParts, here: StaffVisit) => Promise<Deletable>
  /** Of the list, of one, and of what is done with it. */
  readonly pathOf: (masjid: StaffedMasjid, ...rest: readonly string[]) => string
  /** `{name}` is what people call it. */
  readonly words: (view: View) => { readonly title: string; readonly text: string }
  readonly deleteQuery: string
  readonly restoreQuery: string
  /** Instead of deleting at once, where that can be refused in words. */
  readonly remove?: (parts: StaffParts, here: StaffVisit) => Promise<Answer>
}

const confirm =
  ({ find, pathOf, words }: Deletion) =>
  async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
    const { view } = here.visit
    const { id, name } = await find(parts, here)
    const { title, text } = words(view)
    return showPage(
      confirmPage(view, {
        title,
        text: fill(text, { name }),
        action: pathOf(here.masjid, id, 'delete'),
        button: view.texts.common.delete,
        cancel: pathOf(here.masjid, id),
        section: 'staff',
      }),
    )
  }

export const deletedAt = (list: string, id: string): Answer => redirectTo(`${list}?done=deleted&id=${id}`)

const removeNow =
  ({ find, pathOf, deleteQuery }: Deletion) =>
  async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
    const { id } = await find(parts, here)
    await writeAt(parts, here, { query: deleteQuery, variables: { id } })
    return deletedAt(pathOf(here.masjid), id)
  }

const restore =
  ({ pathOf, restoreQuery }: Deletion) =>
  async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
    await restoreAt(parts, here, { query: restoreQuery, variables: { id: idIn(here.visit) } })
    return redirectTo(`${pathOf(here.masjid)}?done=restored`)
  }

export const addDeletionRoutes = (routes: PageRoutes, parts: StaffParts, deletion: Deletion): void => {
  const here = lookingAfter(parts, deletion.capability)
  const one = `${deletion.base}/:id`
  routes.getSignedIn(`${one}/delete`, here(confirm(deletion)))
  routes.postSignedIn(`${one}/delete`, here(deletion.remove ?? removeNow(deletion)))
  routes.postSignedIn(`${one}/restore`, here(restore(deletion)))
}
