// Arabic: the development client of an app.
import type { Texts } from '../../texts/en.ts'

export const development: Texts['development'] = {
  clientId: 'عميل التطوير',
  lead: 'يعمل تطبيقك من الآن لحسابات فريقه وببيانات مختلقة: ابنِ تسجيل الدخول كاملًا قبل أن يراجعه أحد.',
  suspended: 'التطبيق موقوف، وعميل التطوير معه.',
  secrets: 'سر عميل التطوير',
  secretsText: 'يعمل مع عميل التطوير فقط. يمكن أن يسري سرّان معًا ليسهل تبديلهما.',
  publicNoSecret: 'التطبيق العام لا سر له، وكذلك عميل التطوير الخاص به.',
  back: 'العودة إلى عميل التطوير',
  secretRevoked: 'أُلغي السر.',
  signIn: '1. سجّل الدخول',
  signInText:
    'احفظ هذا في ملف try.mjs وشغّله بـ Node. يسجّل دخولك بتدفق authorization code ويقرأ من بيئة التجربة. يصلح أي عنوان على جهازك عنوانَ إعادة.',
  token: '1. احصل على رمز للتطبيق نفسه',
  tokenText: 'ضع السر مكان YOUR_CLIENT_SECRET.',
  query: '2. استعلم من بيئة التجربة',
  queryText: 'ضع الرمز مكان YOUR_ACCESS_TOKEN. هذا الرمز مرفوض مع البيانات الحقيقية.',
  approval: 'ما الذي يتغير عند قبول التطبيق',
  approvalText: 'معرّف واحد وعنوان واحد (والسر في التطبيق السري). ويبقى كل شيء آخر في برنامجك كما هو.',
  what: 'ماذا',
  now: 'الآن',
  approved: 'بعد القبول',
  address: 'GraphQL',
  redirect: 'عنوان الإعادة',
  anyLoopback: 'أي عنوان على هذا الجهاز',
  registered: 'عنوان مسجّل',
  people: 'من يستطيع تسجيل الدخول',
  team: 'فريق التطبيق',
  everybody: 'الجميع',
  atApproval: 'يُعطى عند القبول',
}
