// The app or change that a reviewer looks at next.
import type { Waiting } from '../../apps/review-queue.ts'
import type { View } from '../frame/view.ts'
import { type Html, html, nothing } from '../pieces/html.ts'

export const hrefOf = ({ kind, appId, changeId }: Waiting): string =>
  kind === 'app' ? `/review/apps/${appId}` : `/review/changes/${changeId}`

export const nextLink = ({ texts }: View, next: Waiting | undefined): Html =>
  next === undefined
    ? nothing
    : html`<p class="next"><a href="${hrefOf(next)}">${texts.review.next} <bdi>${next.name}</bdi></a></p>`
