// Arabic: the pages of one's own account.
import type { Texts } from '../en.ts'

export const account: Texts['account'] = {
  sections: 'الحساب',
  profile: 'الملف الشخصي',
  apps: 'التطبيقات',
  sessions: 'الجلسات',
  activity: 'النشاط',
  profileTitle: 'حسابك',
  profileHeading: 'الملف الشخصي',
  profileText: 'التطبيقات التي تسمح لها بمعرفتك ترى هذا الاسم وهذه الصورة.',
  name: 'الاسم',
  picture: 'الصورة',
  pictureHint: 'عنوان صورة يبدأ بـ https://.',
  language: 'اللغة',
  languageHint: 'لهذه الصفحات وللبريد.',
  emailHeading: 'البريد الإلكتروني',
  emailNow: 'عنوانك هو {email}.',
  newEmail: 'البريد الإلكتروني الجديد',
  newEmailHint: 'نرسل رابطًا إلى العنوان الجديد، ويبقى القديم حتى تفتحه.',
  changeEmail: 'تغيير البريد الإلكتروني',
  emailSent: 'أرسلنا رابطًا إلى {email}. يتغير عنوانك عند فتحه.',
  emailChanged: 'تم تغيير بريدك الإلكتروني.',
  passwordHeading: 'كلمة المرور',
  currentPassword: 'كلمة المرور الحالية',
  newPassword: 'كلمة المرور الجديدة',
  changePassword: 'تغيير كلمة المرور',
  passwordText: 'تنتهي جميع الجلسات الأخرى عند تغييرها.',
  passwordChanged: 'تم تغيير كلمة المرور، وانتهت جميع الجلسات الأخرى.',
  memberSince: 'الحساب منذ {date}',
}

export const allowedApps: Texts['allowedApps'] = {
  title: 'التطبيقات التي سمحت لها',
  text: 'تستطيع هذه التطبيقات العمل نيابة عنك. اسحب الإذن من أحدها فينتهي وصوله فورًا.',
  empty: 'لا يوجد تطبيق له وصول',
  emptyText: 'عندما تسجل الدخول إلى تطبيق عبر منارة وتسمح له، يظهر هنا.',
  allowedOn: 'سُمح له في {date}',
  lastUsed: 'آخر استخدام {date}',
  by: 'من {owner}',
  withdraw: 'سحب الإذن',
  withdrawNamed: 'سحب الإذن من {app}',
  confirmTitle: 'هل تسحب الإذن من {app}؟',
  confirmText: 'يفقد التطبيق وصوله فورًا ولا يستطيع قراءة أي شيء نيابة عنك. يمكنك السماح له مجددًا لاحقًا.',
  withdrawn: 'لم يعد لتطبيق {app} أي وصول.',
}

export const sessions: Texts['sessions'] = {
  title: 'أين سجّلت الدخول',
  text: 'كل سطر متصفح سجّلت الدخول منه. أنهِ ما لا تعرفه وغيّر كلمة المرور.',
  thisOne: 'هذا المتصفح',
  unknownBrowser: 'متصفح غير معروف',
  browserOn: '{browser} على {system}',
  from: 'العنوان {address}',
  signedIn: 'تسجيل الدخول {date}',
  lastSeen: 'آخر ظهور {date}',
  end: 'إنهاء الجلسة',
  endNamed: 'إنهاء الجلسة في {browser}، آخر ظهور {date}',
  endOthers: 'إنهاء جميع الجلسات الأخرى',
  ended: 'انتهت الجلسة.',
  othersEnded: 'انتهت جميع الجلسات الأخرى.',
}

export const activity: Texts['activity'] = {
  title: 'ما حدث في حسابك',
  text: 'عمليات الدخول والتغييرات وما فعلته التطبيقات نيابة عنك. إن لم يكن شيء منها منك فغيّر كلمة المرور.',
  empty: 'لم يحدث شيء بعد',
  emptyText: 'ستظهر هنا عمليات الدخول والتغييرات.',
  when: 'متى',
  what: 'ماذا',
  where: 'من أين',
  app: 'التطبيق',
}

export const outbox: Texts['outbox'] = {
  title: 'صندوق الصادر',
  text: 'أثناء التطوير لا يغادر البريد هذا الجهاز. ما كان سيُرسل محفوظ هنا.',
  empty: 'لا رسائل بعد',
  emptyText: 'أنشئ حسابًا أو اطلب كلمة مرور جديدة فتظهر الرسالة هنا.',
  to: 'إلى',
  subject: 'الموضوع',
  when: 'متى',
  state: 'الحالة',
  sent: 'أُرسلت',
  waiting: 'في الانتظار',
  failed: 'تعذّر الإرسال',
  kept: 'محفوظة هنا',
}
