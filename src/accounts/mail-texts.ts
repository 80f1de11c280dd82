// The mails in each language: subject and text with {placeholders}.
import type { Language } from './languages.ts'
import { fillPlaces, mailableName } from './mail-line.ts'
import type { Mail } from './outbox.ts'

interface MailText {
  readonly subject: string
  readonly text: string
}

const english = {
  confirm: {
    subject: 'Confirm your email address',
    text: 'Open this link to confirm your email address and start using your account:\n\n{link}\n\nIt is valid for 24 hours. If you did not create an account, ignore this message and nothing will happen.',
  },
  alreadyKnown: {
    subject: 'You already have an account',
    text: 'Someone, probably you, tried to use this email address for an account. You already have one. Sign in here:\n\n{link}\n\nIf you forgot your password, you can choose a new one there. If this was not you, ignore this message.',
  },
  addressKept: {
    subject: 'This email address is not available yet',
    text: 'Someone, probably you, tried to use this email address for an account. It belonged to another account until a few days ago and is reserved for it, so that its owner can take it back. Try again in seven days, or sign in here with the address you use now:\n\n{link}\n\nIf this was not you, ignore this message.',
  },
  reset: {
    subject: 'Choose a new password',
    text: 'Open this link to choose a new password:\n\n{link}\n\nIt is valid for one hour. If you did not ask for it, ignore this message: your password stays the same.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and your other sessions have ended. If this was not you, choose a new password immediately:\n\n{link}',
  },
  changeEmail: {
    subject: 'Confirm your new email address',
    text: 'Open this link to make this the email address of your account:\n\n{link}\n\nIt is valid for 24 hours. You will be asked for your password, unless you are signed in. If you did not ask for it, ignore this message.',
  },
  emailChangeAsked: {
    subject: 'Someone asked to change your email address',
    text: 'Someone who knows your password asked to change the email address of your account to {email}. If this was you, there is nothing to do here: open the link that we sent to the new address.\n\nIf this was not you, open this link immediately. It stops the change, ends all sessions and lets you choose a new password:\n\n{link}\n\nIt is valid for seven days, even after the address has been changed.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text: 'The email address of your account was changed to {email}. If this was you, there is nothing to do.\n\nIf this was not you, open this link immediately. It undoes the change, ends all sessions and lets you choose a new password:\n\n{link}\n\nIt is valid for seven days.',
  },
  erasureAsked: {
    subject: 'Your account will be erased',
    text: 'You asked us to erase your account. All sessions have ended, and apps no longer have access. On {date} the account and its data are erased for good.\n\nIf you change your mind, or if this was not you, open this link before that day. It keeps the account:\n\n{link}',
  },
  factorAdded: {
    subject: 'A second factor was added to your account',
    text: 'From now on, signing in to your account takes more than your password. If this was not you, somebody knows your password: choose a new one immediately, and ask an administrator of the service to reset your second factor. What your account has is shown here:\n\n{link}',
  },
  factorRemoved: {
    subject: 'A second factor was removed from your account',
    text: 'A second factor of your account was removed. If this was not you, choose a new password immediately and end all sessions:\n\n{link}',
  },
  recoveryRenewed: {
    subject: 'New recovery codes were made',
    text: 'New recovery codes were made for your account. The old ones no longer work. If this was not you, choose a new password immediately and end all sessions:\n\n{link}',
  },
  recoveryUsed: {
    subject: 'A recovery code was used',
    text: 'Somebody signed in to your account with a recovery code. Each works once. If it was you, see how many are left, and set up your new phone:\n\n{link}\n\nIf this was not you, choose a new password immediately and make new codes.',
  },
  factorsReset: {
    subject: 'Your second factor was reset',
    text: 'An administrator of the service has removed the second factor of your account and ended all its sessions. Sign in with your password, and set up a new one:\n\n{link}\n\nIf you did not ask for this, tell the administrators of the service.',
  },
  newDevice: {
    subject: 'A new sign-in to your account',
    text: 'Somebody signed in to your account with a browser, or from a network, that you have not used lately. If this was you, there is nothing to do.\n\nIf this was not you, end the session here, and choose a new password immediately:\n\n{link}',
  },
  unusualSignIn: {
    subject: 'An unusual sign-in to your account',
    text: 'Somebody signed in to your account in an unusual way: with a browser that is set to another country than yours, or from a network that has signed in to many accounts lately. If this was you, there is nothing to do.\n\nIf this was not you, end the session here, choose a new password immediately, and set up a second factor:\n\n{link}',
  },
  providerLinked: {
    subject: 'Another way to sign in to your account',
    text: 'From now on you can sign in to your account with {provider}. If this was not you, choose a new password immediately, end all sessions, and remove it here:\n\n{link}',
  },
  providerUnlinked: {
    subject: 'A way to sign in was removed from your account',
    text: 'You can no longer sign in to your account with {provider}. If this was not you, choose a new password immediately and end all sessions:\n\n{link}',
  },
  passwordRemoved: {
    subject: 'Your password was switched off',
    text: 'From now on you sign in to your account with passkeys only. To have a password again, ask for a new one here:\n\n{link}\n\nIf this was not you, do that immediately, and end all sessions.',
  },
  accountTakenBack: {
    subject: 'Your account is yours again',
    text: 'All sessions of your account have ended, and what was added or changed in the last 30 days is suspended. Nothing was deleted. Choose a new password, then say here which sign-in was the last of yours, so that your own things work again:\n\n{link}',
  },
  addressTakenBack: {
    subject: 'Your account has its former email address again',
    text: 'Somebody who reads the mail of {email} undid the change of the email address of your account. The former address can do that for seven days. All sessions have ended, and nothing was deleted. If this was you, there is nothing to do.\n\nIf this was not you, tell an administrator of the service. Should somebody ask for the account to be erased, you will get a link that keeps it. The account is here:\n\n{link}',
  },
  lastOwnNamed: {
    subject: 'Things in your account were suspended or resumed',
    text: 'Somebody who is signed in to your account said which sign-in was the last of yours. What was added, changed and removed later is undone for now, and deleted after 30 days unless it is kept. If this was you, keep here what was yours.\n\nIf this was not you, choose a new password immediately, end all sessions, and correct the answer:\n\n{link}',
  },
  guestAnswer: {
    subject: 'Confirm your answer to an event',
    text: 'Someone, probably you, answered {event} at {masjid} with this email address. Open this link to see the answer and confirm it:\n\n{link}\n\nIt is valid for 30 minutes. If this was not you, ignore this message and nothing will happen.',
  },
  guestAnswerAgain: {
    subject: 'Confirm your new answer to an event',
    text: 'You have already answered {event} at {masjid}. Someone, probably you, wants to change the answer. Open this link to see the new answer and confirm it:\n\n{link}\n\nIt is valid for 30 minutes. If this was not you, ignore this message: your answer stays as it is.',
  },
} satisfies Record<string, MailText>

export type MailKind = keyof typeof english

export const mailKinds = Object.keys(english) as readonly MailKind[]

const arabic: Readonly<Record<MailKind, MailText>> = {
  confirm: {
    subject: 'أكّد بريدك الإلكتروني',
    text: 'افتح هذا الرابط لتأكيد بريدك الإلكتروني وبدء استخدام حسابك:\n\n{link}\n\nالرابط صالح لمدة 24 ساعة. إن لم تنشئ حسابًا فتجاهل هذه الرسالة، فلن يحدث شيء من دونك.',
  },
  alreadyKnown: {
    subject: 'لديك حساب بالفعل',
    text: 'حاول أحدهم، وربما أنت، استخدام هذا البريد لحساب. لديك حساب بالفعل. سجّل الدخول من هنا:\n\n{link}\n\nإن نسيت كلمة المرور يمكنك اختيار كلمة جديدة هناك. وإن لم تكن أنت فتجاهل هذه الرسالة.',
  },
  addressKept: {
    subject: 'هذا البريد غير متاح بعد',
    text: 'حاول أحدهم، وربما أنت، استخدام هذا البريد لحساب. كان هذا البريد لحساب آخر حتى أيام قليلة مضت، وهو محفوظ له ليتمكن صاحبه من استرجاعه. حاول مجددًا بعد سبعة أيام، أو سجّل الدخول هنا بالبريد الذي تستخدمه الآن:\n\n{link}\n\nإن لم تكن أنت فتجاهل هذه الرسالة.',
  },
  reset: {
    subject: 'اختر كلمة مرور جديدة',
    text: 'افتح هذا الرابط لاختيار كلمة مرور جديدة:\n\n{link}\n\nالرابط صالح لمدة ساعة. إن لم تطلبه فتجاهل هذه الرسالة، وتبقى كلمة المرور كما هي.',
  },
  passwordChanged: {
    subject: 'تم تغيير كلمة المرور',
    text: 'تم تغيير كلمة مرور حسابك وانتهت جلساتك الأخرى. إن لم تكن أنت فاختر كلمة جديدة فورًا:\n\n{link}',
  },
  changeEmail: {
    subject: 'أكّد بريدك الإلكتروني الجديد',
    text: 'افتح هذا الرابط ليصبح هذا بريد حسابك:\n\n{link}\n\nالرابط صالح لمدة 24 ساعة. ستُطلب منك كلمة المرور ما لم تكن قد سجّلت الدخول. إن لم تطلب ذلك فتجاهل هذه الرسالة.',
  },
  emailChangeAsked: {
    subject: 'طُلب تغيير بريدك الإلكتروني',
    text: 'طلب شخص يعرف كلمة مرورك تغيير بريد حسابك إلى {email}. إن كنت أنت فلا حاجة إلى شيء هنا: افتح الرابط الذي أرسلناه إلى البريد الجديد.\n\nوإن لم تكن أنت فافتح هذا الرابط فورًا. إنه يوقف التغيير وينهي جميع الجلسات ويتيح لك اختيار كلمة مرور جديدة:\n\n{link}\n\nالرابط صالح لمدة سبعة أيام، حتى بعد تغيير البريد.',
  },
  emailChanged: {
    subject: 'تم تغيير بريدك الإلكتروني',
    text: 'تم تغيير بريد حسابك إلى {email}. إن كنت أنت فلا حاجة إلى شيء.\n\nوإن لم تكن أنت فافتح هذا الرابط فورًا. إنه يلغي التغيير وينهي جميع الجلسات ويتيح لك اختيار كلمة مرور جديدة:\n\n{link}\n\nالرابط صالح لمدة سبعة أيام.',
  },
  erasureAsked: {
    subject: 'سيُمحى حسابك',
    text: 'طلبت منا محو حسابك. انتهت جميع الجلسات ولم يعد للتطبيقات وصول. في {date} يُمحى الحساب وبياناته نهائيًا.\n\nإن غيّرت رأيك، أو لم تكن أنت من طلب ذلك، فافتح هذا الرابط قبل ذلك اليوم. إنه يُبقي الحساب:\n\n{link}',
  },
  factorAdded: {
    subject: 'أُضيف عامل ثانٍ إلى حسابك',
    text: 'من الآن يتطلب الدخول إلى حسابك أكثر من كلمة المرور. إن لم تكن أنت فثمة من يعرف كلمة مرورك: اختر كلمة جديدة فورًا واطلب من أحد مديري الخدمة إعادة ضبط العامل الثاني. ما لدى حسابك معروض هنا:\n\n{link}',
  },
  factorRemoved: {
    subject: 'أُزيل عامل ثانٍ من حسابك',
    text: 'أُزيل عامل ثانٍ من حسابك. إن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنهِ جميع الجلسات:\n\n{link}',
  },
  recoveryRenewed: {
    subject: 'أُنشئت رموز استرداد جديدة',
    text: 'أُنشئت رموز استرداد جديدة لحسابك ولم تعد القديمة تعمل. إن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنهِ جميع الجلسات:\n\n{link}',
  },
  recoveryUsed: {
    subject: 'استُخدم رمز استرداد',
    text: 'سجّل أحدهم الدخول إلى حسابك برمز استرداد. كل رمز يعمل مرة واحدة. إن كنت أنت فانظر كم بقي منها وأعدّ هاتفك الجديد:\n\n{link}\n\nوإن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنشئ رموزًا جديدة.',
  },
  factorsReset: {
    subject: 'أُعيد ضبط العامل الثاني',
    text: 'أزال أحد مديري الخدمة العامل الثاني من حسابك وأنهى جميع جلساته. سجّل الدخول بكلمة مرورك وأعدّ عاملًا جديدًا:\n\n{link}\n\nإن لم تطلب ذلك فأخبر مديري الخدمة.',
  },
  newDevice: {
    subject: 'تسجيل دخول جديد إلى حسابك',
    text: 'سجّل أحدهم الدخول إلى حسابك من متصفح أو شبكة لم تستخدمها مؤخرًا. إن كنت أنت فلا حاجة إلى شيء.\n\nوإن لم تكن أنت فأنهِ الجلسة هنا واختر كلمة مرور جديدة فورًا:\n\n{link}',
  },
  unusualSignIn: {
    subject: 'تسجيل دخول غير معتاد إلى حسابك',
    text: 'سجّل أحدهم الدخول إلى حسابك على نحو غير معتاد: من متصفح مضبوط على بلد غير بلدك، أو من شبكة دخلت حسابات كثيرة مؤخرًا. إن كنت أنت فلا حاجة إلى شيء.\n\nوإن لم تكن أنت فأنهِ الجلسة هنا واختر كلمة مرور جديدة فورًا وأعدّ عاملًا ثانيًا:\n\n{link}',
  },
  providerLinked: {
    subject: 'طريقة أخرى لتسجيل الدخول إلى حسابك',
    text: 'من الآن يمكنك تسجيل الدخول إلى حسابك عبر {provider}. إن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنهِ جميع الجلسات وأزل هذه الطريقة من هنا:\n\n{link}',
  },
  providerUnlinked: {
    subject: 'أُزيلت طريقة لتسجيل الدخول من حسابك',
    text: 'لم يعد بإمكانك تسجيل الدخول إلى حسابك عبر {provider}. إن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنهِ جميع الجلسات:\n\n{link}',
  },
  passwordRemoved: {
    subject: 'أُوقفت كلمة مرورك',
    text: 'من الآن تسجّل الدخول إلى حسابك بمفاتيح المرور فقط. لتكون لك كلمة مرور من جديد اطلب واحدة هنا:\n\n{link}\n\nإن لم تكن أنت فافعل ذلك فورًا وأنهِ جميع الجلسات.',
  },
  accountTakenBack: {
    subject: 'عاد حسابك إليك',
    text: 'انتهت جميع جلسات حسابك، وأوقف ما أضيف أو تغيّر في آخر 30 يومًا. لم يُحذف شيء. اختر كلمة مرور جديدة، ثم حدّد هنا آخر تسجيل دخول قمت به أنت لتعمل أشياؤك من جديد:\n\n{link}',
  },
  addressTakenBack: {
    subject: 'عاد إلى حسابك بريده السابق',
    text: 'ألغى شخص يقرأ بريد {email} تغيير البريد الإلكتروني لحسابك، وهذا متاح للبريد السابق سبعة أيام. انتهت جميع الجلسات ولم يُحذف شيء. إن كنت أنت فلا حاجة إلى فعل شيء.\n\nوإن لم تكن أنت فأخبر أحد مديري الخدمة. وإذا طلب أحد محو الحساب فسيصلك رابط يُبقيه. الحساب هنا:\n\n{link}',
  },
  lastOwnNamed: {
    subject: 'أوقفت أشياء في حسابك أو استؤنفت',
    text: 'حدّد شخص دخل حسابك آخر تسجيل دخول لك. وما أضيف وتغيّر وحُذف بعده ملغى الآن، ويُحذف بعد 30 يومًا ما لم يُبقَ. إن كنت أنت فأبقِ هنا ما كان منك.\n\nوإن لم تكن أنت فاختر كلمة مرور جديدة فورًا وأنهِ جميع الجلسات وصحّح الجواب:\n\n{link}',
  },
  guestAnswer: {
    subject: 'أكّد ردك على فعالية',
    text: 'ردّ شخص، لعله أنت، على {event} في {masjid} بهذا البريد الإلكتروني. افتح هذا الرابط لترى الرد وتؤكده:\n\n{link}\n\nالرابط صالح لمدة 30 دقيقة. إن لم تكن أنت فتجاهل هذه الرسالة ولن يحدث شيء.',
  },
  guestAnswerAgain: {
    subject: 'أكّد ردك الجديد على فعالية',
    text: 'سبق أن رددت على {event} في {masjid}. ويريد شخص، لعله أنت، تغيير الرد. افتح هذا الرابط لترى الرد الجديد وتؤكده:\n\n{link}\n\nالرابط صالح لمدة 30 دقيقة. إن لم تكن أنت فتجاهل هذه الرسالة: يبقى ردك كما هو.',
  },
}

interface Catalogue {
  readonly greeting: string
  readonly greetingByName: string
  /** In the place of names that mail programs would turn into a link. */
  readonly unnamed: { readonly event: string; readonly masjid: string }
  readonly mails: Readonly<Record<MailKind, MailText>>
}

const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: {
    greeting: 'Peace be upon you.',
    greetingByName: 'Peace be upon you, {name}.',
    unnamed: { event: 'an event', masjid: 'a masjid' },
    mails: english,
  },
  ar: {
    greeting: 'السلام عليكم،',
    greetingByName: 'السلام عليكم {name}،',
    unnamed: { event: 'فعالية', masjid: 'مسجد' },
    mails: arabic,
  },
}

/** By name, if there is one that is safe in a mail. */
export const greetingFor = (language: Language, name: string | undefined): string => {
  const { greeting, greetingByName } = catalogues[language]
  const mailable = mailableName(name)
  return mailable === undefined ? greeting : fillPlaces(greetingByName, { name: mailable })
}

export interface MailValues {
  readonly to: string
  /** Undefined for an unconfirmed address. */
  readonly name: string | undefined
  readonly link: string
  readonly email?: string | undefined
  readonly date?: string | undefined
  readonly provider?: string | undefined
  /** As the masjid calls it. */
  readonly event?: string | undefined
  readonly masjid?: string | undefined
}

export const writeMail = (
  language: Language,
  kind: MailKind,
  { to, name, event, masjid, ...places }: MailValues,
): Mail => {
  const { mails, unnamed } = catalogues[language]
  const { subject, text } = mails[kind]
  const named = { event: mailableName(event) ?? unnamed.event, masjid: mailableName(masjid) ?? unnamed.masjid }
  return { to, subject, text: `${greetingFor(language, name)}\n\n${fillPlaces(text, { ...places, ...named })}` }
}
