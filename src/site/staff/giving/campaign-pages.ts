// Campaigns → their list with how far each has come, and the form of one.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { formatMoney } from '../../../giving/money.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState, faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { localDayOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Campaign, campaignStates } from './campaign.ts'
import { funds } from './gift.ts'
import type { CampaignFaults, CampaignForm } from './read-campaign.ts'

const pathOf = (masjid: StaffedMasjid, rest = ''): string => staffPath(masjid, `giving/campaigns${rest}`)

const progress = (view: View, { goal_minor, raised_minor, currency, title }: Campaign): Html => {
  const money = (minor: number): string => formatMoney(view.language, minor, currency)
  if (goal_minor === null) return html`<p><strong><bdi>${money(raised_minor)}</bdi></strong></p>`
  const words = fillText(view.texts.staffGiving.raisedOf, { raised: money(raised_minor), goal: money(goal_minor) })
  return html`<p><strong>${words}</strong></p><progress max="${goal_minor}" value="${Math.min(raised_minor, goal_minor)}" aria-label="${title}">${words}</progress>`
}

const campaignCard = (view: View, masjid: StaffedMasjid, campaign: Campaign): Html => {
  const { staffGiving: giving } = view.texts
  return html`<li class="card staff-card"><h2><a href="${pathOf(masjid, `/${campaign.id}`)}"><bdi>${campaign.title}</bdi></a></h2>
<p>${badge(giving.states[campaign.status], campaign.status === 'active' ? 'good' : 'info')} ${badge(giving.funds[campaign.fund])}</p>${progress(view, campaign)}
<p class="soft small">${localDayOf(view, campaign.starts_on)}${campaign.ends_on !== null && html` – ${localDayOf(view, campaign.ends_on)}`}</p></li>`
}

export interface CampaignsParts {
  readonly masjid: StaffedMasjid
  readonly campaigns: readonly Campaign[]
  readonly done: string | undefined
}

export const campaignsPage = (view: View, { masjid, campaigns, done }: CampaignsParts): Html => {
  const { staffGiving: giving } = view.texts
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: giving.campaigns,
    done,
    main: html`${actions(
      linkButton({ href: pathOf(masjid, '/new'), text: giving.newCampaign, look: 'primary' }),
      linkButton({ href: staffPath(masjid, 'giving'), text: giving.list }),
    )}${
      campaigns.length === 0
        ? emptyState({ title: giving.noCampaigns, text: giving.noCampaignsText })
        : html`<ul class="plain-list card-grid">${campaigns.map(campaign => campaignCard(view, masjid, campaign))}</ul>`
    }`,
  })
}

export interface CampaignPageParts {
  readonly masjid: StaffedMasjid
  /** Undefined for a new one. */
  readonly id: string | undefined
  readonly values: CampaignForm
  readonly faults?: CampaignFaults
  readonly refusal?: string
}

const fieldsOf = (
  { texts }: View,
  { id, values }: CampaignPageParts,
  words: Readonly<Record<string, string>>,
): Html => {
  const { staffGiving: giving, common } = texts
  const { optional } = common
  const state = selectField({
    name: 'status',
    label: giving.state,
    fault: words.status,
    chosen: [values.status],
    choices: campaignStates.map(value => ({ value, label: giving.states[value] })),
  })
  return html`${textField({ name: 'title', label: giving.campaignTitle, value: values.title, fault: words.title, attributes: { dir: 'auto', maxlength: 200 } })}
${textArea({ name: 'description', label: giving.description, value: values.description, optional })}
${selectField({ name: 'fund', label: giving.fund, fault: words.fund, chosen: [values.fund], choices: funds.map(value => ({ value, label: giving.funds[value] })) })}
<div class="pair">${textField({ name: 'goal', label: giving.goal, value: values.goal, fault: words.goal, optional, attributes: { inputmode: 'decimal', dir: 'ltr' } })}
${textField({ name: 'currency', label: giving.currency, hint: giving.currencyOnce, value: values.currency, fault: words.currency, attributes: { maxlength: 3, dir: 'ltr', readonly: id !== undefined } })}</div>
<div class="pair">${textField({ name: 'starts', label: giving.starts, value: values.starts, fault: words.starts, type: 'date' })}
${textField({ name: 'ends', label: giving.ends, value: values.ends, fault: words.ends, type: 'date', optional })}</div>${state}`
}

export const campaignPage = (view: View, parts: CampaignPageParts): Html => {
  const { masjid, id, values, refusal } = parts
  const { staffGiving: giving, common } = view.texts
  const words = faultWords({ ...giving.faults, notOffered: common.notOffered }, parts.faults)
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: id === undefined ? giving.newCampaign : values.title,
    faulty: Object.keys(words).length > 0 || refusal !== undefined,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<div class="card form-card">${form(view, {
      action: pathOf(masjid, `/${id ?? 'new'}`),
      hidden: { version: values.version },
      fields: html`${fieldsOf(view, parts, words)}${actions(
        submitButton({ text: common.save, look: 'primary' }),
        linkButton({ text: common.cancel, href: pathOf(masjid) }),
      )}`,
    })}</div>`,
  })
}
