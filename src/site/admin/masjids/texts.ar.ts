// Arabic: masjids and their verification.
import type { Texts } from '../../texts/en.ts'

export const adminMasjids: Texts['adminMasjids'] = {
  search: 'بحث',
  searchHint: 'كلمات من الاسم أو المدينة، أو آخر عنوانه هنا.',
  searchButton: 'بحث',
  state: 'التحقق',
  any: 'الكل',
  states: { unverified: 'غير محقَّق', pending: 'قيد التحقق', verified: 'محقَّق', disputed: 'متنازع فيه' },
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
