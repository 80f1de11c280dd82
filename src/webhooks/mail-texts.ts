// The mail to an app's owner about an endpoint that was disabled, in each language.

interface MailTexts {
  /** Stands for a name that cannot be mailed. */
  readonly unnamed: string
  readonly subject: string
  readonly gone: string
  readonly failing: string
}

export const mailTexts: Readonly<Record<'en' | 'ar', MailTexts>> = {
  en: {
    unnamed: '(unnamed)',
    subject: 'A webhook endpoint of {app} is disabled',
    gone: 'An endpoint of your app {app} answered 410 Gone, so we no longer send anything to it. If that was a mistake, enable it here, and it goes on where it stopped:',
    failing:
      'For three days, an endpoint of your app {app} has accepted nothing that we sent, so we stopped trying. Once it works again, enable it here, and it goes on where it stopped:',
  },
  ar: {
    unnamed: '(بلا اسم)',
    subject: 'عُطّلت نقطة استقبال لتطبيقك {app}',
    gone: 'أجابت نقطة استقبال لتطبيقك {app} بالرمز 410، فلم نعد نرسل إليها شيئًا. إن كان ذلك خطأً ففعّلها هنا، وستتابع من حيث توقفت:',
    failing:
      'منذ ثلاثة أيام لم تقبل نقطة استقبال لتطبيقك {app} شيئًا مما أرسلناه، فتوقفنا عن المحاولة. متى عادت إلى العمل ففعّلها هنا، وستتابع من حيث توقفت:',
  },
}
