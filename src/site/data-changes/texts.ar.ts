// Arabic: the audit trail of writing.
import type { Texts } from '../texts/en.ts'

export const dataChanges: Texts['dataChanges'] = {
  lead: 'من غيّر أي سجل، ومتى، وبأي حق، وعبر أي تطبيق. لا تُحفظ هنا القيم الشخصية أبدًا، بل أنها تغيّرت فقط.',
  table: 'الجدول',
  record: 'معرّف السجل',
  masjid: 'معرّف المسجد أو اسمه في العنوان',
  kind: 'نوع التغيير',
  any: 'الكل',
  kinds: { insert: 'إضافة', update: 'تغيير', delete: 'حذف', restore: 'استعادة' },
  authorities: {
    capability: 'بصلاحية في المسجد',
    themselves: 'عن نفسه',
    'own-app': 'بصفته تطبيق المسجد الخاص',
    'all-masjids': 'بصفته التطبيق الخاص بكل المساجد',
    administrator: 'بصفته مديرًا للخدمة',
    database: 'بالوصول إلى قاعدة البيانات',
  },
  column: 'العمود',
  before: 'قبل',
  after: 'بعد',
  values: 'القيم',
  notShown: 'تغيّر، ولا يُعرض',
  hidden: 'لا يُعرض',
  history: 'كل تغييرات هذا السجل',
  request: 'الطلب',
  exportCsv: 'تصدير CSV',
  exportJson: 'تصدير JSON',
  exportHint: 'ما تجده المرشحات، الأحدث أولًا، بحد أقصى {count} صف. يُسجَّل التصدير في سجل التدقيق.',
}
