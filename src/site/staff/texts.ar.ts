// Arabic: what all staff pages share.
import type { Texts } from '../texts/en.ts'

export const staff: Texts['staff'] = {
  title: 'مساجدك',
  lead: 'أبقِ أوقات الصلاة والفعاليات والإعلانات محدّثة، وتتبعها التطبيقات والشاشات والتقاويم تلقائيًا.',
  menu: 'أقسام هذا المسجد',
  search: 'الاسم أو المدينة',
  find: 'بحث',
  none: 'لا تعتني بأي مسجد بعد',
  noneText: 'يمكن لمن يعتني به أن يدعوك.',
  notFound: 'لم يُعثر على مسجد',
  verified: 'موثّق',
  unverified: 'لم يوثّق بعد',
  unverifiedText: 'لم توثّق بيانات هذا المسجد بعد.',
  capabilities: {
    times: 'أوقات الصلاة',
    events: 'الفعاليات',
    announcements: 'الإعلانات',
    people: 'الأعضاء',
    giving: 'التبرعات',
    screens: 'الشاشات',
    capabilities: 'الصلاحيات',
  },
  today: 'اليوم',
  noTimes: 'ما زالت أوقات اليوم تُحسب.',
  prayer: 'الصلاة',
  adhan: 'الأذان',
  iqamah: 'الإقامة',
  prayers: {
    fajr: 'الفجر',
    dhuhr: 'الظهر',
    asr: 'العصر',
    maghrib: 'المغرب',
    isha: 'العشاء',
    jumuah: 'الجمعة',
    taraweeh: 'التراويح',
    eid_fitr: 'عيد الفطر',
    eid_adha: 'عيد الأضحى',
  },
  sections: {
    overview: 'نظرة عامة',
    announcements: 'الإعلانات',
  },
  sectionHints: {
    overview: 'المسجد اليوم في لمحة.',
    announcements: 'أخبر الناس: على الشاشات والويب وفي التطبيقات.',
  },
}
