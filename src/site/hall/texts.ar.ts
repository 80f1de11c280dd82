// Arabic: the screen in the hall, and the words for dates that it shares with print and share.
import type { Texts } from '../texts/en.ts'

export const hall: Texts['hall'] = {
  adhan: 'الأذان',
  iqamah: 'الإقامة',
  khutbah: 'الخطبة',
  next: 'التالي: {prayer} {time}',
  screen: 'شاشة المصلى',
  sunrise: 'الشروق',
  adhanIn: '{prayer}: الأذان بعد',
  iqamahIn: '{prayer}: الإقامة بعد',
  tomorrow: 'غدًا',
  ranOut: 'أوقات اليوم غير معروفة',
  ranOutHint: 'انقطع اتصال الشاشة مدة طويلة، وستتابع وحدها متى عاد.',
  offline: 'لا اتصال منذ {moment}',
  hijriDate: '{day} {month} {year} هـ',
  hijriMonths: {
    m1: 'محرم',
    m2: 'صفر',
    m3: 'ربيع الأول',
    m4: 'ربيع الآخر',
    m5: 'جمادى الأولى',
    m6: 'جمادى الآخرة',
    m7: 'رجب',
    m8: 'شعبان',
    m9: 'رمضان',
    m10: 'شوال',
    m11: 'ذو القعدة',
    m12: 'ذو الحجة',
  },
}
