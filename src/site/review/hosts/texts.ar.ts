// Arabic: hosts of apps that describe themselves.
import type { Texts } from '../../texts/en.ts'

export const reviewHosts: Texts['reviewHosts'] = {
  title: 'تطبيقات تعرّف بنفسها',
  lead: 'لا يسجّل أحد هذه التطبيقات: لكل منها وثيقة في عنوانه. القرار في المضيف، وتتبعه تطبيقاته فورًا.',
  states: { new: 'لم يُبتّ فيه', approved: 'مقبول', limited: 'محدود', blocked: 'محظور' },
  names: 'أسماء تطبيقاته',
  apps: 'التطبيقات',
  people: 'من سمحوا لأحدها',
  since: 'أول ظهور',
  scopes: 'صلاحيات تطبيقاته عند القبول',
  scopesHint: 'قبل القبول: البيانات العامة وما يخص الشخص نفسه. المحدود: البيانات العامة فقط.',
  words: 'السبب',
  approve: 'قبول',
  limit: 'تحديد',
  block: 'حظر',
  done: 'تم القرار، وتتبعه تطبيقات المضيف فورًا.',
  empty: 'لا يوجد تطبيق كهذا بعد',
  emptyText: 'عندما يستخدم أحد تطبيقًا يعرّف بنفسه يظهر مضيفه هنا.',
}
