// What became of an image → words for its owner: that it is being fetched, is shown, or why not and what to do.
import type { ImageStatus } from '../../images/images.ts'
import type { View } from '../frame/view.ts'
import { fillText } from '../pieces/fill.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge, notice, type Tone } from '../pieces/notices.ts'
import { outsideLink } from '../pieces/outside-link.ts'
import type { Texts } from '../texts/texts.ts'

/** What the owner of a refused image can do: save the form, or choose another address if the image is already approved. */
export type NextStep = keyof Texts['image']['next']

/** Keeps the direction of an address within an Arabic sentence. */
const isolated = (address: string): string => `\u2066${address}\u2069`

const whyOf = ({ image }: Texts, { address, reason, status }: ImageStatus): string | undefined =>
  reason === null ? undefined : fillText(image.reasons[reason], { address: isolated(address), status: status ?? '' })

const imageWords = ({ texts }: View, status: ImageStatus, next: NextStep): string => {
  const { image } = texts
  const why = whyOf(texts, status)
  if (why === undefined) return status.state === 'fetched' ? image.fetched : image.waiting
  return `${why} ${status.state === 'refused' ? image.next[next] : image.triedAgain}`
}

/** For a form: a refusal stands at the field, the other states in its hint. */
export const imageField = (
  view: View,
  hint: string,
  { status, next }: { readonly status: ImageStatus | undefined; readonly next: NextStep },
): { readonly hint: string; readonly fault?: string } => {
  if (status === undefined) return { hint }
  const words = imageWords(view, status, next)
  return status.state === 'refused' ? { hint, fault: words } : { hint: `${hint} ${words}` }
}

const tones: Readonly<Record<ImageStatus['state'], Tone>> = { waiting: 'info', fetched: 'good', refused: 'warn' }

export const imageFact = ({ texts }: View, status: ImageStatus): Html =>
  html`${outsideLink(status.address)} ${badge(texts.image.states[status.state], tones[status.state])}`

/** Empty for one that is shown. */
export const imageNotice = (view: View, status: ImageStatus, next: NextStep): Html =>
  status.state === 'fetched'
    ? nothing
    : notice({ tone: tones[status.state], title: view.texts.appForm.logo, text: imageWords(view, status, next) })
