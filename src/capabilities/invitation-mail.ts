// The mail that invites somebody to look after a masjid, in each language.
import type { Language } from '../accounts/languages.ts'
import { fillPlaces, mailableName } from '../accounts/mail-line.ts'
import { greetingFor } from '../accounts/mail-texts.ts'
import type { Mail } from '../accounts/outbox.ts'

export interface InvitationMail {
  readonly to: string
  /** Of the person who invites: the other's is not known. */
  readonly language: Language
  readonly masjid: string
  readonly inviter: string
  readonly link: string
}

const texts = {
  en: {
    subject: 'You are invited to look after {masjid}',
    text: '{inviter} invites you to look after {masjid} with them: to keep its times, events or announcements up to date.\n\nOpen this link, and sign in or create an account with this email address:\n\n{link}\n\nIt is valid for seven days and works once. If you do not know the masjid, ignore this message and nothing will happen.',
    somebody: 'Somebody',
    masjid: 'a masjid',
  },
  ar: {
    subject: 'دعوة للعناية بشؤون {masjid}',
    text: 'يدعوك {inviter} لتشاركه العناية بشؤون {masjid}: أوقات الصلاة أو الفعاليات أو الإعلانات.\n\nافتح هذا الرابط، ثم سجّل الدخول أو أنشئ حسابًا بهذا البريد:\n\n{link}\n\nالرابط صالح لسبعة أيام ولمرة واحدة. إن كنت لا تعرف المسجد فتجاهل هذه الرسالة، ولن يحدث شيء.',
    somebody: 'أحدهم',
    masjid: 'مسجد',
  },
} as const

/** Names that look like links are left out: the address may be a stranger's. */
export const writeInvitation = ({ to, language, masjid, inviter, link }: InvitationMail): Mail => {
  const words = texts[language]
  const places = {
    masjid: mailableName(masjid) ?? words.masjid,
    inviter: mailableName(inviter) ?? words.somebody,
    link,
  }
  return {
    to,
    subject: fillPlaces(words.subject, places),
    text: `${greetingFor(language, undefined)}\n\n${fillPlaces(words.text, places)}`,
  }
}
