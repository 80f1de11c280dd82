// What is in an export → the text that explains it, in the person's language.
import type { Language } from '../../accounts/languages.ts'
import { MOST_ROWS } from './exported-table.ts'

export interface ReadMeParts {
  readonly email: string
  readonly baseUrl: string
  readonly at: Date
  readonly names: readonly string[]
}

const english = ({ email, baseUrl, at, names }: ReadMeParts): string => `What ${baseUrl} keeps about ${email}
Written on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC.

Each file is one table, once as JSON for programs and once as CSV for spreadsheets. All times are in UTC.
A CSV value that a spreadsheet could take for a formula, such as a phone number that begins with +, has an
apostrophe before it. The JSON files have every value as it is.

users                  your account
ua_members             what masjids keep about you as a member
ua_households          the household you belong to, without its other members
ua_donations           your gifts
up_event_rsvps         events you answered, also as a guest with your email address
consents               the apps you allowed, and what to
consent_texts          what you were shown when you allowed them
audit_log              what happened in your account
written_rows           what you changed at masjids
read_log               what apps read in your name: when, which table, how many rows
reads_at_your_masjids  what apps read at your masjids, by day; your rows may have been among them

Not in here: passwords and keys, of which only digests are kept, and the data of other people. An identifier of
somebody else is left empty. A table with more than ${MOST_ROWS.toLocaleString('en')} rows of yours is cut there.

Files:
${names.map(name => `  ${name}.json  ${name}.csv`).join('\n')}
`

const arabic = ({ email, baseUrl, at, names }: ReadMeParts): string => `ما يحفظه ${baseUrl} عن ${email}
كُتب في ${at.toISOString().slice(0, 16).replace('T', ' ')} بالتوقيت العالمي.

كل ملف جدول واحد، مرة بصيغة JSON للبرامج ومرة بصيغة CSV لجداول البيانات. جميع الأوقات بالتوقيت العالمي.
قيمة CSV التي قد تظنها جداول البيانات صيغة حسابية، كرقم هاتف يبدأ بعلامة +، تسبقها فاصلة عليا. وفي ملفات JSON
كل قيمة كما هي.

users                  حسابك
ua_members             ما تحفظه المساجد عنك بصفتك عضوًا
ua_households          الأسرة التي تنتمي إليها، من دون بقية أفرادها
ua_donations           تبرعاتك
up_event_rsvps         ردودك على الفعاليات، وكذلك ضيفًا ببريدك
consents               التطبيقات التي سمحت لها، وبماذا
consent_texts          ما عُرض عليك حين سمحت لها
audit_log              ما حدث في حسابك
written_rows           ما غيّرته في المساجد
read_log               ما قرأته التطبيقات باسمك: متى، وأي جدول، وكم صفًا
reads_at_your_masjids  ما قرأته التطبيقات في مساجدك، بحسب اليوم؛ وقد تكون صفوفك منها

ليس هنا: كلمات المرور والمفاتيح، فلا تُحفظ إلا بصماتها، وبيانات الآخرين. معرّف غيرك يُترك فارغًا. والجدول الذي فيه
لك أكثر من ${MOST_ROWS.toLocaleString('en')} صف يُقطع عند ذلك.

الملفات:
${names.map(name => `  ${name}.json  ${name}.csv`).join('\n')}
`

const writers: Readonly<Record<Language, (parts: ReadMeParts) => string>> = { en: english, ar: arabic }

export const writeReadMe = (language: Language, parts: ReadMeParts): string => writers[language](parts)
