// What the landing page says, in each language.
import type { Language } from '../../accounts/languages.ts'

const en = {
  title: 'One API for masjids',
  lead: 'Where they are, when they pray, what happens there. Apps ask one GraphQL endpoint; people sign in and decide what an app may see of them.',
  tryTitle: 'Ask something',
  tryLead: 'This is the sandbox: invented data, no account. Change the query and run it.',
  queryLabel: 'Query',
  run: 'Run',
  running: 'Running …',
  answerLabel: 'Answer',
  answerHere: 'The answer appears here.',
  failed: 'The sandbox could not be reached.',
  inExplorer: 'Open in the explorer',
  fromTerminal: 'The same from a terminal',
  contentTitle: 'What is in it',
  areas: [
    {
      name: 'Masjid directory',
      text: 'Names, addresses, facilities, languages. Search by name or by distance.',
      table: 'up_masjids',
    },
    {
      name: 'Prayer times',
      text: 'Calculated adhan and the masjid’s own iqamah, as full instants, 400 days ahead.',
      table: 'pc_prayer_times',
    },
    {
      name: 'Events',
      text: 'Lectures, classes, iftars, with every occurrence, even “20 minutes after Isha”.',
      table: 'up_event_occurrences',
    },
    {
      name: 'Donations',
      text: 'Campaigns and gifts, each fund apart. Only for those who may see them.',
      table: 'ua_donations',
    },
    { name: 'Members', text: 'People who agreed to be seen, and no others.', table: 'ua_members' },
  ],
  stepsTitle: 'From here to your app',
  steps: [
    {
      title: 'Build against the sandbox',
      text: 'No account needed. A public test key opens invented people as well.',
      link: '/docs/sandbox',
    },
    {
      title: 'Register your app',
      text: 'Say what it does and which scopes it needs. A person reviews it.',
      link: '/docs/get-an-app',
    },
    {
      title: 'Sign people in, or ask as a server',
      text: 'Authorization code with PKCE, client credentials, or an API key.',
      link: '/docs/authorization-code',
    },
    { title: 'Change one address', text: 'Your queries stay as they are.', link: '/docs/first-query' },
  ],
  guidesTitle: 'Guides',
  allGuides: 'All documentation',
  explorer: 'Explorer',
  openConsole: 'Developer console',
}

type LandingTexts = typeof en

const ar: LandingTexts = {
  title: 'واجهة برمجية واحدة للمساجد',
  lead: 'أين تقع، ومتى تُقام الصلاة، وما الذي يجري فيها. تسأل التطبيقات نقطة GraphQL واحدة، ويسجّل الناس دخولهم ويقررون ما يراه التطبيق من بياناتهم.',
  tryTitle: 'جرّب سؤالًا',
  tryLead: 'هذه بيئة التجربة: بيانات مُختلَقة ومن دون حساب. غيّر الاستعلام ثم شغّله.',
  queryLabel: 'الاستعلام',
  run: 'تشغيل',
  running: 'جارٍ التشغيل …',
  answerLabel: 'الجواب',
  answerHere: 'يظهر الجواب هنا.',
  failed: 'تعذّر الوصول إلى بيئة التجربة.',
  inExplorer: 'افتحه في المستكشف',
  fromTerminal: 'الأمر نفسه من الطرفية',
  contentTitle: 'ما الذي فيها',
  areas: [
    {
      name: 'دليل المساجد',
      text: 'الأسماء والعناوين والمرافق واللغات، مع البحث بالاسم أو بالمسافة.',
      table: 'up_masjids',
    },
    {
      name: 'مواقيت الصلاة',
      text: 'الأذان المحسوب وإقامة المسجد نفسه، لحظاتٍ كاملة، لأربعمئة يوم قادمة.',
      table: 'pc_prayer_times',
    },
    {
      name: 'الفعاليات',
      text: 'دروس ومحاضرات وإفطارات، بكل مواعيدها، حتى «بعد العشاء بعشرين دقيقة».',
      table: 'up_event_occurrences',
    },
    {
      name: 'التبرعات',
      text: 'الحملات والتبرعات، كل صندوق على حدة، ولا يراها إلا من يحق له ذلك.',
      table: 'ua_donations',
    },
    { name: 'الأعضاء', text: 'من وافقوا على الظهور، ولا أحد سواهم.', table: 'ua_members' },
  ],
  stepsTitle: 'من هنا إلى تطبيقك',
  steps: [
    {
      title: 'ابنِ على بيئة التجربة',
      text: 'لا حاجة إلى حساب. ويفتح مفتاح تجربة عام بيانات أشخاص مُختلَقين أيضًا.',
      link: '/docs/sandbox',
    },
    {
      title: 'سجّل تطبيقك',
      text: 'اذكر ما يفعله والنطاقات التي يحتاج إليها، ثم يراجعه إنسان.',
      link: '/docs/get-an-app',
    },
    {
      title: 'سجّل دخول الناس، أو اسأل من خادمك',
      text: 'رمز التفويض مع PKCE، أو بيانات اعتماد العميل، أو مفتاح واجهة.',
      link: '/docs/authorization-code',
    },
    { title: 'غيّر عنوانًا واحدًا', text: 'وتبقى استعلاماتك كما هي.', link: '/docs/first-query' },
  ],
  guidesTitle: 'الأدلة (بالإنجليزية)',
  allGuides: 'كل التوثيق',
  explorer: 'المستكشف',
  openConsole: 'لوحة المطورين',
}

export const landingTexts: Readonly<Record<Language, LandingTexts>> = { en, ar }
