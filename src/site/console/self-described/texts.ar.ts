// Arabic: apps that describe themselves.
import type { Texts } from '../../texts/en.ts'

export const selfDescribed: Texts['selfDescribed'] = {
  title: 'تطبيقات تصف نفسها',
  lead: 'معرّفها client_id عنوان وثيقة؛ لم يسجّلها أحد، فليست في لوحة أي مطوّر. ويجد الناس ما سمحوا به منها في «التطبيقات» من حسابهم.',
  decide: 'القرار بشأن مضيفاتها',
  app: 'التطبيق',
  host: 'المضيف',
  since: 'أول ظهور',
  seen: 'آخر قراءة للوثيقة',
  empty: 'لا شيء بعد',
  emptyText: 'يظهر التطبيق هنا حين يُرسَل شخص لتسجيل الدخول إليه.',
}
