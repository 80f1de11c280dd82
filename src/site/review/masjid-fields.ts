// A reviewer's choice of masjids as submitted → the fields to choose them, their errors, and the choice itself.
import type { MasjidChoice } from '../../apps/masjids.ts'
import { type FoundMasjid, findMasjids, masjidsByIds } from '../../apps/review-queue.ts'
import type { Queryable } from '../../db/database.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { type Choice, checkboxGroup, radioGroup } from '../pieces/choices.ts'
import { textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import type { Texts } from '../texts/texts.ts'

/** As submitted. */
export interface MasjidValues {
  /** `all` or `some`. */
  readonly reach: string
  readonly masjids: readonly string[]
  /** `none`, `some` or `all`; empty until the reviewer has said so. */
  readonly ownReach: string
  readonly own: readonly string[]
  readonly find: string
}

export interface MasjidFaults {
  readonly masjids?: string
  readonly own?: string
}

export const readMasjidValues = (form: FormValues): MasjidValues => ({
  reach: form.text('reach') === 'some' ? 'some' : 'all',
  masjids: form.list('masjids'),
  ownReach: form.text('own_reach'),
  own: form.list('own'),
  find: form.text('find'),
})

export const choiceOf = ({ reach, masjids, ownReach, own }: MasjidValues): MasjidChoice => ({
  only: reach === 'all' ? '*' : masjids,
  own: ownReach === 'all' ? '*' : ownReach === 'some' ? own : [],
})

/** Chosen masjids stay on the page across searches. */
export const listedMasjids = async (queryable: Queryable, values: MasjidValues): Promise<FoundMasjid[]> => {
  const chosen = await masjidsByIds(queryable, [...values.masjids, ...values.own])
  const found = values.find === '' ? [] : await findMasjids(queryable, values.find)
  return [...chosen, ...found.filter(({ id }) => !chosen.some(masjid => masjid.id === id))]
}

const ownFault = ({ review }: Texts, { reach, ownReach, own }: MasjidValues, writes: boolean): string | undefined => {
  if (ownReach === 'all') return reach === 'all' ? undefined : review.ownAllNeedsAll
  if (ownReach === 'some') return own.length === 0 ? review.ownMissing : undefined
  if (own.length > 0) return review.ownTicked
  return ownReach === '' && writes ? review.ownUndecided : undefined
}

/** An app that may write needs a word on where: nothing is assumed. */
export const masjidFaults = (texts: Texts, values: MasjidValues, writes: boolean): MasjidFaults => {
  const { only, own } = choiceOf(values)
  const nowhere = only !== '*' && own !== '*' && only.length + own.length === 0
  const wrong = ownFault(texts, values, writes)
  return {
    ...(nowhere ? { masjids: texts.review.masjidsMissing } : {}),
    ...(wrong === undefined ? {} : { own: wrong }),
  }
}

const masjidChoices = (listed: readonly FoundMasjid[]): Choice[] =>
  listed.map(({ id, name, city, state }) => ({
    value: id,
    label: `${name}, ${city}${state === null ? '' : `, ${state}`}`,
  }))

interface MasjidFieldsParts {
  readonly values: MasjidValues
  /** Chosen masjids, and search results. */
  readonly listed: readonly FoundMasjid[]
  readonly faults: MasjidFaults
}

const findPart = ({ texts }: View, { values, listed }: MasjidFieldsParts): Html => {
  const { review } = texts
  const nothingFound = values.find !== '' && listed.length === 0
  return html`<div class="find">${textField({ name: 'find', type: 'search', label: review.find, hint: review.findHint, value: values.find, filter: true })}
${submitButton({ text: review.findButton, name: 'action', value: 'find' })}</div>
${nothingFound && html`<p role="status">${review.noneFound}</p>`}`
}

const ownPart = ({ texts }: View, { values, listed, faults }: MasjidFieldsParts): Html => {
  const { review } = texts
  return html`${radioGroup({
    name: 'own_reach',
    label: review.ownReach,
    hint: review.ownHint,
    fault: faults.own,
    chosen: [values.ownReach],
    choices: [
      { value: 'none', label: review.ownNone },
      { value: 'some', label: review.ownSome, hint: review.ownSomeHint },
      { value: 'all', label: review.ownAll, hint: review.ownAllHint },
    ],
  })}
${listed.length > 0 && checkboxGroup({ name: 'own', label: review.own, chosen: values.own, choices: masjidChoices(listed) })}`
}

export const masjidFields = (view: View, parts: MasjidFieldsParts): Html => {
  const { values, listed, faults } = parts
  const { review } = view.texts
  return html`${radioGroup({
    name: 'reach',
    label: review.reach,
    fault: faults.masjids,
    chosen: [values.reach],
    choices: [
      { value: 'all', label: review.reachAll },
      { value: 'some', label: review.reachSome },
    ],
  })}
${findPart(view, parts)}
${listed.length > 0 && checkboxGroup({ name: 'masjids', label: review.chosen, chosen: values.masjids, choices: masjidChoices(listed) })}
${ownPart(view, parts)}`
}
