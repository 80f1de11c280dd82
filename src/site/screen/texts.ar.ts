// Arabic: a screen before it knows its masjid.
import type { Texts } from '../texts/en.ts'

export const screen: Texts['screen'] = {
  pageTitle: 'شاشة المصلى',
  title: 'اربط هذه الشاشة بمسجدك',
  open: 'افتح هذا العنوان في هاتفك واكتب الرمز:',
  orScan: 'أو امسح هذا:',
  unreachable: 'لا اتصال',
  unreachableHint: 'ستتابع الشاشة وحدها متى عاد الاتصال.',
  pause: 'الصلاة',
}
