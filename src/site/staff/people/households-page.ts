// Households found → the page that lists them with who lives there.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { type Html, html } from '../../pieces/html.ts'
import { emptyState } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import { HOUSEHOLDS_A_PAGE, type Household } from './household.ts'
import { furtherPages, listTabs, searchForm, undoForm } from './list-pieces.ts'
import { householdPath } from './people-path.ts'
import { nameOf } from './person.ts'

export interface HouseholdsParts {
  readonly masjid: StaffedMasjid
  readonly households: readonly Household[]
  readonly words: string
  readonly skip: number
  readonly done: string | undefined
  readonly deleted: string | undefined
}

export const addressOf = ({ address, city, state, postal_code }: Household): string =>
  [address, [postal_code, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ')

const entry = (masjid: StaffedMasjid, household: Household): Html =>
  html`<li class="person"><p><a href="${householdPath(masjid, household.id)}"><bdi>${household.name}</bdi></a></p>
<p class="soft">${household.members.length > 0 && html`<bdi>${household.members.map(nameOf).join(' · ')}</bdi><br>`}<bdi>${addressOf(household)}</bdi></p></li>`

const found = (view: View, { masjid, households, words, skip }: HouseholdsParts): Html => {
  const { staffPeople: texts } = view.texts
  if (households.length === 0)
    return emptyState(
      words === ''
        ? { title: texts.noHouseholds, text: texts.noHouseholdsText }
        : { title: texts.householdNotFound, text: texts.notFoundText },
    )
  return html`<ul class="plain-list card">${households.slice(0, HOUSEHOLDS_A_PAGE).map(one => entry(masjid, one))}</ul>${furtherPages(view, { path: householdPath(masjid), filters: { q: words }, skip, size: HOUSEHOLDS_A_PAGE, found: households.length })}`
}

export const householdsPage = (view: View, parts: HouseholdsParts): Html => {
  const { staffPeople: texts } = view.texts
  const { masjid, deleted, words } = parts
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: texts.households,
    done: parts.done,
    main: html`${undoForm(view, deleted && householdPath(masjid, deleted, 'restore'))}${listTabs(view, masjid, 'households')}<p class="lead">${texts.householdsLead}</p>${actions(
      linkButton({ text: texts.createHousehold, href: householdPath(masjid, 'new'), look: 'primary' }),
    )}${searchForm(view, { action: householdPath(masjid), label: texts.searchHouseholds, words })}${found(view, parts)}`,
  })
}
