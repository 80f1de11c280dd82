// Arabic: masjids and their verification.
import type { Texts } from '../../texts/en.ts'

export const adminMasjids: Texts['adminMasjids'] = {
  search: 'بحث',
  searchHint: 'جزء من الاسم أو المدينة.',
  searchButton: 'بحث',
  state: 'التحقق',
  any: 'الكل',
  states: { unverified: 'غير محقَّق', pending: 'قيد التحقق', verified: 'محقَّق', disputed: 'متنازع فيه' },
  count: {
    zero: '{count} مسجد',
    one: '{count} مسجد',
    two: '{count} مسجد',
    few: '{count} مساجد',
    many: '{count} مسجدًا',
    other: '{count} مسجد',
  },
  none: 'لم يُعثر على مسجد',
  noneText: 'جرّب حروفًا أقل أو حالة أخرى.',
  masjid: 'المسجد',
  place: 'المكان',
  checked: 'آخر تحقق',
  action: 'تغيير',
  verify: 'تأكيد التحقق',
  unverify: 'سحب التحقق',
  verifyNamed: 'تأكيد التحقق من {name}',
  unverifyNamed: 'سحب التحقق من {name}',
  done: 'تغيّرت حالة التحقق.',
}
