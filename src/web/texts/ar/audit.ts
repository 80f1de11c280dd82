// Arabic: the events of the audit log, in words.
import type { Texts } from '../en.ts'

export const auditEvents: Texts['auditEvents'] = {
  'account.signed_up': 'إنشاء الحساب',
  'account.email_confirmed': 'تأكيد البريد الإلكتروني',
  'account.signed_in': 'تسجيل الدخول',
  'account.sign_in_refused': 'رفض تسجيل الدخول: كلمة مرور خاطئة',
  'account.signed_out': 'تسجيل الخروج',
  'account.session_ended': 'إنهاء جلسة',
  'account.sessions_ended': 'إنهاء جميع الجلسات الأخرى',
  'account.password_reset_asked': 'طلب كلمة مرور جديدة',
  'account.password_reset': 'إعادة تعيين كلمة المرور بالبريد',
  'account.password_changed': 'تغيير كلمة المرور',
  'account.email_change_asked': 'طلب تغيير البريد الإلكتروني',
  'account.email_changed': 'تغيير البريد الإلكتروني',
  'account.profile_changed': 'تغيير الملف الشخصي',
  'oauth.consent_given': 'السماح لتطبيق',
  'oauth.consent_denied': 'رفض تطبيق',
  'account.consent_withdrawn': 'سحب إذن تطبيق',
}
