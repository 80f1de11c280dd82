// Arabic: drafts of registrations.
import type { Texts } from '../../texts/en.ts'

export const drafts: Texts['drafts'] = {
  heading: 'المسودات',
  save: 'حفظ كمسودة',
  saved: 'حُفظت المسودة.',
  failed: 'تعذّر حفظ المسودة. انسخ ما كتبته قبل أن تغادر الصفحة.',
  savedNotice: 'تم الحفظ. تجدها هنا حتى ترسلها.',
  savedAt: 'حُفظت في',
  untitled: 'تطبيق بلا اسم',
  resume: 'متابعة',
  resumeNamed: 'متابعة {name}',
  discard: 'حذف',
  discardNamed: 'حذف {name}',
}
