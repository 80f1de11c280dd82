// What is mailed, in each language: subject and text with {places}.
import type { Language } from './languages.ts'
import type { Mail } from './outbox.ts'

interface MailText {
  readonly subject: string
  readonly text: string
}

const english = {
  confirm: {
    subject: 'Confirm your email address',
    text: 'Peace be upon you, {name}.\n\nOpen this link to confirm your email address and begin to use your account:\n\n{link}\n\nIt is valid for 24 hours. If you did not create an account, ignore this message: nothing happens without you.',
  },
  alreadyKnown: {
    subject: 'You have an account already',
    text: 'Peace be upon you, {name}.\n\nSomebody, probably you, tried to use this email address for an account. You have one already. Sign in here:\n\n{link}\n\nIf you forgot your password, you can choose a new one there. If it was not you, ignore this message.',
  },
  reset: {
    subject: 'Choose a new password',
    text: 'Peace be upon you, {name}.\n\nOpen this link to choose a new password:\n\n{link}\n\nIt is valid for one hour. If you did not ask for it, ignore this message: your password stays as it is.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'Peace be upon you, {name}.\n\nThe password of your account was changed, and your other sessions have ended. If it was not you, choose a new password at once:\n\n{link}',
  },
  changeEmail: {
    subject: 'Confirm your new email address',
    text: 'Peace be upon you, {name}.\n\nOpen this link to make this the email address of your account:\n\n{link}\n\nIt is valid for 24 hours. If you did not ask for it, ignore this message.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text: 'Peace be upon you, {name}.\n\nThe email address of your account was changed to {email}. If it was not you, tell the operator of this service at once:\n\n{link}',
  },
} satisfies Record<string, MailText>

export type MailKind = keyof typeof english

export const mailKinds = Object.keys(english) as readonly MailKind[]

const arabic: Readonly<Record<MailKind, MailText>> = {
  confirm: {
    subject: 'أكّد بريدك الإلكتروني',
    text: 'السلام عليكم {name}،\n\nافتح هذا الرابط لتأكيد بريدك الإلكتروني وبدء استخدام حسابك:\n\n{link}\n\nالرابط صالح لمدة 24 ساعة. إن لم تنشئ حسابًا فتجاهل هذه الرسالة، فلن يحدث شيء من دونك.',
  },
  alreadyKnown: {
    subject: 'لديك حساب بالفعل',
    text: 'السلام عليكم {name}،\n\nحاول أحدهم، وربما أنت، استخدام هذا البريد لحساب. لديك حساب بالفعل. سجّل الدخول من هنا:\n\n{link}\n\nإن نسيت كلمة المرور يمكنك اختيار كلمة جديدة هناك. وإن لم تكن أنت فتجاهل هذه الرسالة.',
  },
  reset: {
    subject: 'اختر كلمة مرور جديدة',
    text: 'السلام عليكم {name}،\n\nافتح هذا الرابط لاختيار كلمة مرور جديدة:\n\n{link}\n\nالرابط صالح لمدة ساعة. إن لم تطلبه فتجاهل هذه الرسالة، وتبقى كلمة المرور كما هي.',
  },
  passwordChanged: {
    subject: 'تم تغيير كلمة المرور',
    text: 'السلام عليكم {name}،\n\nتم تغيير كلمة مرور حسابك وانتهت جلساتك الأخرى. إن لم تكن أنت فاختر كلمة جديدة فورًا:\n\n{link}',
  },
  changeEmail: {
    subject: 'أكّد بريدك الإلكتروني الجديد',
    text: 'السلام عليكم {name}،\n\nافتح هذا الرابط ليصبح هذا بريد حسابك:\n\n{link}\n\nالرابط صالح لمدة 24 ساعة. إن لم تطلبه فتجاهل هذه الرسالة.',
  },
  emailChanged: {
    subject: 'تم تغيير بريدك الإلكتروني',
    text: 'السلام عليكم {name}،\n\nتم تغيير بريد حسابك إلى {email}. إن لم تكن أنت فأخبر القائم على هذه الخدمة فورًا:\n\n{link}',
  },
}

const catalogues: Readonly<Record<Language, Readonly<Record<MailKind, MailText>>>> = { en: english, ar: arabic }

export interface MailValues {
  readonly to: string
  readonly name: string
  readonly link: string
  readonly email?: string
}

/** A name is a line of its own at most: it cannot add lines or links that look like ours. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/https?:\/\//gi, '')

export const writeMail = (language: Language, kind: MailKind, values: MailValues): Mail => {
  const { subject, text } = catalogues[language][kind]
  const places: Readonly<Record<string, string>> = {
    name: oneLine(values.name),
    link: values.link,
    email: values.email ?? '',
  }
  return { to: values.to, subject, text: text.replace(/\{(\w+)\}/g, (_, place: string) => places[place] ?? '') }
}
