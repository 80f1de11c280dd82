// Arabic: connecting a device by the code that it shows.
import type { Texts } from '../texts/en.ts'

export const device: Texts['device'] = {
  title: 'ربط جهاز',
  lead: 'اكتب الرمز الذي يعرضه الجهاز.',
  filledIn: 'تأكد من أن الجهاز الذي أمامك يعرض هذا الرمز نفسه.',
  code: 'الرمز',
  codeHint: 'ثمانية أحرف. لا فرق بين الأحرف الكبيرة والصغيرة، ولا أثر للشرطات والمسافات.',
  next: 'متابعة',
  wrongCode: 'هذا الرمز غير صالح: فيه خطأ أو انتهت مدته أو سبق استخدامه. يمكن للجهاز أن يعرض رمزًا جديدًا.',
  confirmTitle: 'أتريد ربط جهاز بتطبيق {app}؟',
  heading: 'يريد جهاز استخدام {app}',
  compare: 'يجب أن يعرض الجهاز هذا الرمز',
  warningTitle: 'هل بدأتَ هذا بنفسك؟',
  warning:
    'لا تسمح إلا إذا كان الجهاز أمامك ويعرض هذا الرمز. وإن أرسل إليك أحد الرمز أو رابط هذه الصفحة فارفض، فإنه سيحصل على ما هو مذكور هنا.',
  asked: 'وقت الطلب',
  ago: 'قبل {duration}',
  from: 'من',
  sameNetwork: '{address}، وهي شبكتك نفسها',
  otherNetwork: '{address}، وليست شبكتك',
  unknownNetwork: 'عنوان غير معروف',
  deviceName: 'الجهاز',
  unknownDevice: 'غير معروف',
  allowedTitle: 'تم ربط الجهاز',
  allowed: 'سيتابع وحده خلال ثوانٍ. يمكنك إغلاق هذه الصفحة.',
  deniedTitle: 'لم يُربط الجهاز',
  denied: 'لم يُشارَك معه شيء. يمكنك إغلاق هذه الصفحة.',
  another: 'ربط جهاز آخر',
}
