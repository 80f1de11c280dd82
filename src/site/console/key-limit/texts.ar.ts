// Arabic: the limit of one API key.
import type { Texts } from '../../texts/en.ts'

export const keyLimit: Texts['keyLimit'] = {
  label: 'عدد الطلبات في الدقيقة',
  hint: 'أقصى عدد بهذا المفتاح، كي لا يستنفد برنامج واحد ما يحق للتطبيق. من دون رقم لا تسري إلا حدود التطبيق.',
  column: 'الحد',
  shown: '{count} في الدقيقة',
  none: 'كالتطبيق',
  change: 'الحد',
  changeNamed: 'تغيير حد {name}',
  title: 'حد المفتاح {name}',
  lead: 'يسري الحد الجديد خلال ثانية، وعلى طلبات هذه الدقيقة أيضًا. ما زاد عليه يُرفض بالرمز 429 مع وقت العودة.',
  save: 'حفظ الحد',
  saved: 'حُفظ حد المفتاح.',
  fault: 'أدخل عددًا صحيحًا من 1 إلى {most}، أو اتركه فارغًا.',
}
