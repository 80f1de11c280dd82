// What reviewers are told about a new request, and the person about the decision, in each language.

export type RequestDecision = 'approved' | 'rejected'

export const requestMails = {
  en: {
    approved: {
      subject: 'You look after {masjid} now',
      text: 'We checked your request: {masjid} is verified, and you look after everything there. You can invite others under "Team".',
    },
    rejected: {
      subject: 'Your request about {masjid}',
      text: 'We could not confirm your request about {masjid}. You can send another one with more to go by:',
    },
    words: 'The reviewer says:',
    unnamed: 'the masjid',
  },
  ar: {
    approved: {
      subject: 'أنت الآن تعتني بشؤون {masjid}',
      text: 'راجعنا طلبك: تم توثيق {masjid}، وأنت تعتني بكل شؤونه. يمكنك دعوة آخرين من صفحة «الفريق».',
    },
    rejected: {
      subject: 'طلبك بشأن {masjid}',
      text: 'لم نتمكن من تأكيد طلبك بشأن {masjid}. يمكنك إرسال طلب آخر بمعلومات أوفى:',
    },
    words: 'يقول المراجع:',
    unnamed: 'المسجد',
  },
} as const

export const reviewerMails = {
  en: {
    subject: 'A request about {masjid}',
    register: 'Somebody asks to register {masjid}. Please check it on the review desk:',
    claim: 'Somebody asks to look after {masjid}. Please check it on the review desk:',
    unnamed: 'a masjid',
  },
  ar: {
    subject: 'طلب بشأن {masjid}',
    register: 'طلب أحدهم تسجيل {masjid}. يُرجى التحقق منه في صفحة المراجعة:',
    claim: 'طلب أحدهم العناية بشؤون {masjid}. يُرجى التحقق منه في صفحة المراجعة:',
    unnamed: 'مسجد',
  },
} as const
