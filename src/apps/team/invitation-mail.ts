// The mail that invites somebody to the team of an app, in each language.
import type { Language } from '../../accounts/languages.ts'
import { fillPlaces, mailableName } from '../../accounts/mail-line.ts'
import { greetingFor } from '../../accounts/mail-texts.ts'
import type { Mail } from '../../accounts/outbox.ts'

export interface TeamInvitationMail {
  readonly to: string
  /** Of the person who invites: the other's is not known. */
  readonly language: Language
  readonly app: string
  readonly inviter: string
  readonly link: string
}

const texts = {
  en: {
    subject: 'You are invited to the team of {app}',
    text: '{inviter} invites you to the team of the app {app}.\n\nOpen this link, and sign in or create an account with this email address:\n\n{link}\n\nIt is valid for seven days and works once. If you do not know the app, ignore this message and nothing will happen.',
    somebody: 'Somebody',
    app: 'an app',
  },
  ar: {
    subject: 'دعوة إلى فريق {app}',
    text: 'يدعوك {inviter} إلى فريق التطبيق {app}.\n\nافتح هذا الرابط، ثم سجّل الدخول أو أنشئ حسابًا بهذا البريد:\n\n{link}\n\nالرابط صالح لسبعة أيام ولمرة واحدة. إن كنت لا تعرف التطبيق فتجاهل هذه الرسالة، ولن يحدث شيء.',
    somebody: 'أحدهم',
    app: 'تطبيق',
  },
} as const

/** Names that look like links are left out: the address may be a stranger's. */
export const writeTeamInvitation = ({ to, language, app, inviter, link }: TeamInvitationMail): Mail => {
  const words = texts[language]
  const places = { app: mailableName(app) ?? words.app, inviter: mailableName(inviter) ?? words.somebody, link }
  return {
    to,
    subject: fillPlaces(words.subject, places),
    text: `${greetingFor(language, undefined)}\n\n${fillPlaces(words.text, places)}`,
  }
}
