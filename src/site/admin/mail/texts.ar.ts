// Texts of the mail that was given up, in Arabic.
import type { mailEn } from './texts.en.ts'

export const mailAr: typeof mailEn = {
  lead: 'رسائل رفضها خادم البريد نهائيًا، أو تعذّر إرسالها في اثنتي عشرة محاولة. تُحذف بعد 30 يومًا.',
  caption: 'رسائل تُرك إرسالها',
  empty: 'لا رسائل تُرك إرسالها',
  emptyText: 'ما ينتظر يُعاد إرساله تلقائيًا.',
  recipient: 'إلى',
  subject: 'الموضوع وما قاله خادم البريد',
  created: 'كُتبت',
  again: 'إعادة الإرسال',
  againTo: 'إعادة الإرسال إلى {recipient}',
  done: 'يُعاد إرسالها الآن. قد تكون صلاحية رابط فيها قد انتهت.',
  gone: 'لم تعد هذه الرسالة تنتظر قرارًا.',
}
