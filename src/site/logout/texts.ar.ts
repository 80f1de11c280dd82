// Arabic: signing out because an app asks for it.
import type { Texts } from '../texts/en.ts'

export const logout: Texts['logout'] = {
  title: 'هل تريد تسجيل الخروج من منارة؟',
  text: 'يطلب أحد التطبيقات تسجيل خروجك من هنا أيضًا.',
}
