// Arabic: what an app asks for, in words for the person who decides.
import type { Texts } from '../texts/en.ts'

export const consent: Texts['consent'] = {
  title: 'تطبيق {app} يطلب الإذن',
  heading: 'يرغب {app} في',
  signedInAs: 'سجّلت الدخول باسم {email}.',
  otherAccount: 'استخدم حسابًا آخر',
  madeBy: 'المالك',
  state: 'المراجعة',
  homePage: 'الصفحة الرئيسية',
  returnsTo: 'ستعود إلى',
  reviewed: 'راجعته هذه الخدمة وقبلته',
  sees: 'ما سيراه من حسابك',
  claims: { sub: 'معرّف المستخدم', email: 'البريد الإلكتروني', name: 'الاسم', picture: 'الصورة' },
  subHint: 'رمز يدل على حسابك، ليتعرف عليك في المرة القادمة.',
  pictureHint: 'صورة حسابك، أو صورة مرسومة من المعرّف.',
  registered: 'عناوين الإعادة المسجلة',
  registeredHint: 'أنت وحدك تراها هنا، لأنك مالك هذا التطبيق.',
  registeredNext: 'أرسل أحدها حرفًا بحرف، أو اطلب تعديل التطبيق.',
  toSettings: 'تعديل التطبيق',
  newScope: 'جديد',
  allow: 'سماح',
  deny: 'رفض',
  withdrawHint: 'يمكنك سحب هذا الإذن في أي وقت من: حسابك، ثم التطبيقات.',
  expired: 'انتهت صلاحية هذا الطلب. عد إلى التطبيق وابدأ من جديد.',
}

export const scopes: Texts['scopes'] = {
  openid: { title: 'معرفة من أنت', opens: 'معرّف المستخدم الخاص بك، ليتعرف عليك في المرة القادمة.' },
  profile: { title: 'رؤية اسمك وصورتك', opens: 'الاسم والصورة في حسابك.' },
  email: { title: 'رؤية بريدك الإلكتروني', opens: 'عنوان البريد في حسابك.' },
  offline_access: {
    title: 'البقاء متصلًا',
    opens: 'قراءة ما هو مذكور هنا حتى عندما لا تستخدم التطبيق، إلى أن تسحب الإذن.',
  },
  'masjid:read': { title: 'قراءة دليل المساجد', opens: 'أسماء المساجد وعناوينها ومرافقها والجهات القائمة عليها.' },
  'events:read': { title: 'قراءة فعاليات المجتمع', opens: 'الفعاليات ومواعيدها وعدد من سيحضرون.' },
  'prayer-times:read': { title: 'قراءة أوقات الصلاة', opens: 'الأوقات المحسوبة ومواعيد الإقامة ومصادرها.' },
  'donations:read': {
    title: 'قراءة التبرعات',
    opens: 'تبرعاتك أنت، وتبرعات المساجد التي أنت عضو في مجلسها أو مدير لها.',
  },
  'members:read': {
    title: 'قراءة الأعضاء والأسر',
    opens: 'عضويتك وأسرتك، وأعضاء المساجد التي أنت عضو في مجلسها أو مدير لها.',
  },
}
