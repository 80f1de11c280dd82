// Mails to reviewers about a conversation, in each language.

export type ReviewerNews = 'answered' | 'sentAgain'

interface ReviewerMailTexts
  extends Readonly<Record<ReviewerNews, { readonly subject: string; readonly text: string }>> {
  /** Stands for a name that cannot be mailed. */
  readonly unnamed: string
}

export const reviewerMailTexts: Readonly<Record<'en' | 'ar', ReviewerMailTexts>> = {
  en: {
    unnamed: '(unnamed)',
    answered: {
      subject: 'The team of {app} wrote to you',
      text: 'The team of the app {app} wrote a message about its review. Read it and answer here:',
    },
    sentAgain: {
      subject: '{app} is back in the queue',
      text: 'The team of the app {app} has answered and sent it for review again. Decide here:',
    },
  },
  ar: {
    unnamed: '(بلا اسم)',
    answered: {
      subject: 'كتب إليك فريق {app}',
      text: 'كتب فريق التطبيق {app} رسالة عن مراجعته. اقرأها وأجب هنا:',
    },
    sentAgain: {
      subject: 'عاد {app} إلى قائمة الانتظار',
      text: 'أجاب فريق التطبيق {app} وأرسله للمراجعة من جديد. قرّر هنا:',
    },
  },
}
