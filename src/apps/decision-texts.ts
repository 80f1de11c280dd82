// Mails to an app's owner about a decision, in each language.

interface DecisionText {
  readonly subject: string
  readonly text: string
}

const english = {
  approved: {
    subject: 'Your app {app} is approved',
    text: 'A reviewer has approved your app {app}. Its client_id is {clientId}. You make its secret and keys here:',
  },
  rejected: {
    subject: 'Your app {app} was not approved',
    text: 'A reviewer has looked at your app {app} and did not approve it. You can mend it and send it again here:',
  },
  suspended: {
    subject: 'Your app {app} is suspended',
    text: 'A reviewer has suspended your app {app}. All its tokens and keys have ended. More is here:',
  },
  reinstated: {
    subject: 'Your app {app} works again',
    text: 'A reviewer has reinstated your app {app}. Make new keys here:',
  },
  changeApproved: {
    subject: 'The change of {app} is approved',
    text: 'A reviewer has approved the change of your app {app}. It is in force now:',
  },
  changeRejected: {
    subject: 'The change of {app} was not approved',
    text: 'A reviewer did not approve the change of your app {app}. What was approved before stays in force:',
  },
  changesRequested: {
    subject: 'Please change your app {app}',
    text: 'A reviewer has looked at your app {app} and asks for changes before deciding. Read what is missing, answer, and send it again here:',
  },
  message: {
    subject: 'A reviewer wrote about {app}',
    text: 'A reviewer has written to you about your app {app}. You can answer here:',
  },
  handedOver: {
    subject: 'The app {app} is yours now',
    text: 'The app {app} was handed over to you. Replace its secrets and keys: its former owner knows them. You find it here:',
  },
} satisfies Record<string, DecisionText>

export type DecisionKind = keyof typeof english

const arabic: Readonly<Record<DecisionKind, DecisionText>> = {
  approved: {
    subject: 'قُبل تطبيقك {app}',
    text: 'قبل مراجع تطبيقك {app}. معرّفه client_id هو {clientId}. تنشئ سره ومفاتيحه هنا:',
  },
  rejected: {
    subject: 'لم يُقبل تطبيقك {app}',
    text: 'نظر مراجع في تطبيقك {app} ولم يقبله. يمكنك إصلاحه وإرساله من جديد هنا:',
  },
  suspended: {
    subject: 'أُوقف تطبيقك {app}',
    text: 'أوقف مراجع تطبيقك {app}. انتهت جميع رموزه ومفاتيحه. المزيد هنا:',
  },
  reinstated: {
    subject: 'عاد تطبيقك {app} إلى العمل',
    text: 'أعاد مراجع تطبيقك {app} إلى العمل. أنشئ مفاتيح جديدة هنا:',
  },
  changeApproved: {
    subject: 'قُبل تعديل {app}',
    text: 'قبل مراجع تعديل تطبيقك {app}. وهو سارٍ الآن:',
  },
  changeRejected: {
    subject: 'لم يُقبل تعديل {app}',
    text: 'لم يقبل مراجع تعديل تطبيقك {app}. تبقى القيم المقبولة سابقًا سارية:',
  },
  changesRequested: {
    subject: 'تعديلات مطلوبة على تطبيقك {app}',
    text: 'نظر مراجع في تطبيقك {app} ويطلب تعديلات قبل أن يقرر. اقرأ ما ينقص وأجب وأرسله من جديد هنا:',
  },
  message: {
    subject: 'كتب مراجع عن {app}',
    text: 'كتب إليك مراجع عن تطبيقك {app}. يمكنك الإجابة هنا:',
  },
  handedOver: {
    subject: 'صار التطبيق {app} لك',
    text: 'سُلّم إليك التطبيق {app}. بدّل أسراره ومفاتيحه، فمالكه السابق يعرفها. تجده هنا:',
  },
}

interface DecisionTexts {
  /** Stands for a name that cannot be mailed. */
  readonly unnamed: string
  readonly words: string
  readonly decisions: Readonly<Record<DecisionKind, DecisionText>>
}

export const decisionTexts: Readonly<Record<'en' | 'ar', DecisionTexts>> = {
  en: { unnamed: '(unnamed)', words: 'The reviewer wrote:', decisions: english },
  ar: { unnamed: '(بلا اسم)', words: 'كتب المراجع:', decisions: arabic },
}
