// Arabic: the finder.
import type { Texts } from '../texts/en.ts'

export const finder: Texts['finder'] = {
  title: 'ابحث عن مسجد',
  lead: 'مواقيت الصلاة والجمعة والفعاليات كما ينشرها كل مسجد.',
  words: 'الاسم أو المدينة أو الدولة',
  jumuah: 'الجمعة ليست قبل',
  find: 'بحث',
  nearMe: 'القريبة مني',
  locating: 'جارٍ تحديد موقعك …',
  notLocated: 'لم يخبرنا متصفحك بموقعك. ابحث بالاسم أو المدينة.',
  results: 'المساجد',
  resultsNear: 'مساجد قريبة منك',
  none: 'لم يُعثر على مسجد',
  noneText: 'جرّب كلمات أقل، أو المدينة وحدها.',
  noneNear: 'لا يوجد في الدليل مسجد على بعد {distance} كم أو أقل.',
  wider: 'البحث في نطاق {distance} كم',
  similarCity: 'لا يوجد مسجد مسجّل في «{city}». هذه أقرب الأسماء:',
  ask: 'اكتب اسمًا أو مدينة، أو دع متصفحك يجد ما هو قريب منك.',
  askForJumuah: 'للبحث بوقت الجمعة اكتب اسمًا أو مدينة أيضًا.',
  away: '{distance} كم',
  nextIqamah: 'الإقامة القادمة: {prayer} {time}',
  nextAdhan: 'الأذان القادم: {prayer} {time}',
  calculated: 'وقت محسوب',
  jumuahAt: 'الجمعة: {times}',
  unverified: 'غير موثّق',
}
