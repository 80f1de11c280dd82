// A person and the households found → the page that moves them: to one of these, to a new one, or to none.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillText, fillTitle } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { staffFrame } from '../staff-frame.ts'
import type { Household } from './household.ts'
import { householdFields } from './household-page.ts'
import { addressOf } from './households-page.ts'
import { searchForm } from './list-pieces.ts'
import { peoplePath } from './people-path.ts'
import { type Member, nameOf } from './person.ts'
import type { HouseholdFaults, HouseholdForm } from './read-household.ts'

export interface MovePageParts {
  readonly masjid: StaffedMasjid
  readonly member: Member
  readonly words: string
  readonly households: readonly Household[]
  readonly values: HouseholdForm
  readonly faults?: HouseholdFaults
  readonly refusal?: string
}

const MOST_OFFERED = 10

const offer = (view: View, { masjid, member }: MovePageParts, household: Household): Html => {
  const { moveHere, moveTo } = view.texts.staffPeople
  const button = submitButton({ text: moveHere, size: 'small', label: fillText(moveTo, { name: household.name }) })
  return html`<li class="person"><p><bdi>${household.name}</bdi></p><p class="soft"><bdi>${addressOf(household)}</bdi></p>${form(
    view,
    {
      action: peoplePath(masjid, member.id, 'household'),
      hidden: { to: household.id },
      fields: button,
    },
  )}</li>`
}

const offers = (view: View, parts: MovePageParts): Html => {
  const { staffPeople: texts } = view.texts
  const others = parts.households.filter(({ id }) => id !== parts.member.household?.id).slice(0, MOST_OFFERED)
  if (others.length === 0) return html`<p>${texts.householdNotFound}</p>`
  return html`<ul class="plain-list card">${others.map(household => offer(view, parts, household))}</ul>`
}

const current = (view: View, { masjid, member }: MovePageParts): Html => {
  const { staffPeople: texts } = view.texts
  if (member.household === null) return nothing
  return html`<section class="card"><p>${texts.household}: <bdi>${member.household.name}</bdi></p>${form(view, {
    action: peoplePath(masjid, member.id, 'household'),
    hidden: { to: 'none' },
    fields: submitButton({ text: texts.moveOut, size: 'small' }),
  })}</section>`
}

export const movePage = (view: View, parts: MovePageParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { masjid, member, words, values, faults = {}, refusal } = parts
  const action = peoplePath(masjid, member.id, 'household')
  const wrong = faultWords(texts.faults, faults)
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: fillTitle(texts.householdOf, { name: nameOf(member) }),
    faulty: Object.keys(wrong).length > 0 || refusal !== undefined,
    main: html`${faultList(view, wrong)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${current(view, parts)}
<section><h2>${texts.existingHousehold}</h2>${searchForm(view, { action, label: texts.searchHouseholds, words })}${offers(view, parts)}</section>
<section><h2>${texts.createHousehold}</h2><div class="card form-card">${form(view, {
      action,
      hidden: { to: 'new' },
      fields: html`${householdFields(view, values, faults)}${actions(
        submitButton({ text: texts.moveIntoNew, look: 'primary' }),
        linkButton({ text: common.cancel, href: peoplePath(masjid, member.id) }),
      )}`,
    })}</div></section>`,
  })
}
