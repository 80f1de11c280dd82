// Mails that were given up → a list with what the mail server said, and a button to try each again.
import type { GivenUpMail } from '../../../accounts/refused-mail.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { dayOf, table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { emptyState } from '../../pieces/notices.ts'
import { adminFrame } from '../admin-frame.ts'

export const RESEND_PATH = '/admin/mail/send-again'

const againForm = (view: View, { id, recipient }: GivenUpMail): Html => {
  const { mail } = view.texts.admin
  const button = submitButton({ text: mail.again, size: 'small', label: fillText(mail.againTo, { recipient }) })
  return form(view, { action: RESEND_PATH, hidden: { id }, fields: button })
}

const listOf = (view: View, mails: readonly GivenUpMail[]): Html => {
  const { mail } = view.texts.admin
  return table({
    caption: mail.caption,
    cards: true,
    head: [mail.recipient, mail.subject, mail.created, mail.again],
    rows: mails.map(one => [
      html`<bdi>${one.recipient}</bdi>`,
      html`<bdi>${one.subject}</bdi><br><span class="soft small"><bdi dir="ltr">${one.reason ?? ''}</bdi></span>`,
      dayOf(view, one.createdAt),
      againForm(view, one),
    ]),
  })
}

export const mailPage = (view: View, mails: readonly GivenUpMail[], done: string | undefined): Html => {
  const { mail } = view.texts.admin
  return adminFrame(view, {
    section: 'mails',
    done,
    main: html`<p class="lead">${mail.lead}</p>${
      mails.length === 0 ? emptyState({ title: mail.empty, text: mail.emptyText }) : listOf(view, mails)
    }`,
  })
}
