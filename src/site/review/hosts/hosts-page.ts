// Hosts of apps that describe themselves → the page on which reviewers approve, limit or block each.
import { allScopes } from '../../../access/scopes.ts'
import type { AppHost } from '../../../apps/hosts.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup } from '../../pieces/choices.ts'
import { facts, momentOf } from '../../pieces/data.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState, notice } from '../../pieces/notices.ts'

interface HostsParts {
  readonly hosts: readonly AppHost[]
  readonly done: boolean
  readonly refusal: string | undefined
}

const tones = { new: 'warn', approved: 'good', limited: 'info', blocked: 'bad' } as const

const decisionForm = (view: View, { host, scopes, words }: AppHost, number: number): Html => {
  const { hosts, common } = { hosts: view.texts.reviewHosts, common: view.texts.common }
  const choices = allScopes.map(scope => ({ value: scope, label: scope, hint: view.texts.scopes[scope].title }))
  return form(view, {
    action: '/review/hosts',
    hidden: { host },
    fields: html`<details><summary>${hosts.scopes}</summary>${checkboxGroup({ name: 'scopes', id: `scopes-${number}`, label: hosts.scopes, hint: hosts.scopesHint, chosen: scopes, choices })}</details>
${textField({ name: 'words', id: `words-${number}`, label: hosts.words, value: words ?? '', optional: common.optional })}
${actions(
  submitButton({ text: hosts.approve, name: 'state', value: 'approved', look: 'primary' }),
  submitButton({ text: hosts.limit, name: 'state', value: 'limited' }),
  submitButton({ text: hosts.block, name: 'state', value: 'blocked', look: 'danger' }),
)}`,
  })
}

const hostCard = (view: View, host: AppHost, number: number): Html => {
  const { reviewHosts: words } = view.texts
  return html`<section class="card"><h2 dir="ltr">${host.host} ${badge(words.states[host.state], tones[host.state])}</h2>
${facts([
  [words.names, html`<bdi>${host.names.join(' · ')}</bdi>`],
  [words.apps, String(host.apps)],
  [words.people, String(host.people)],
  [words.since, momentOf(view, host.createdAt)],
])}
${decisionForm(view, host, number)}</section>`
}

export const hostsPage = (view: View, { hosts, done, refusal }: HostsParts): Html => {
  const { reviewHosts: words } = view.texts
  return page(view, {
    title: words.title,
    section: 'review',
    main: html`<div class="page-head"><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>
${done && notice({ tone: 'good', text: words.done })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
${hosts.length === 0 ? emptyState({ title: words.empty, text: words.emptyText }) : hosts.map((host, number) => hostCard(view, host, number))}`,
  })
}
