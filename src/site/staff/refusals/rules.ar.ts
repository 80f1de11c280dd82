// Arabic: the rules of the database, by the English words that it refuses with. In the key, <names> stand for what differs.

/** Of the tables that staff write. */
const masjids = {
  'A capacity is at least 1.': 'السعة 1 على الأقل.',
  'A city is not empty.': 'اسم المدينة مطلوب.',
  'A country is two capital letters, as in ISO 3166-1.': 'الدولة حرفان لاتينيان كبيران مثل GB.',
  'A date is one of the years 1 to 9999.': 'التاريخ يقع بين السنتين 1 و9999.',
  'A latitude is -90 to 90 degrees.': 'خط العرض من ‎-90 إلى 90 درجة.',
  'A longitude is -180 to 180 degrees.': 'خط الطول من ‎-180 إلى 180 درجة.',
  'A name has 1 to 200 characters.': 'الاسم من حرف واحد إلى 200 حرف.',
  'A postal code is not empty; leave it out if there is none.': 'لا يكون الرمز البريدي فارغًا؛ اتركه إن لم يوجد.',
  'A slug belongs to one masjid.': 'هذا الاسم في العناوين لمسجد آخر.',
  'A slug has at most 80 small letters, digits and single hyphens.':
    'الاسم في العناوين 80 حرفًا لاتينيًا صغيرًا ورقمًا على الأكثر، تفصل بينها شرطات مفردة.',
  'A state is not empty; leave it out if there is none.': 'لا يكون اسم الولاية فارغًا؛ اتركه إن لم يوجد.',
  'A telephone number has 5 to 30 digits, blanks, brackets, dots, slashes or hyphens, perhaps after a plus.':
    'رقم الهاتف من 5 إلى 30 رقمًا أو مسافة أو قوسًا أو نقطة أو شرطة، وقد تسبقه علامة +.',
  'A time zone is a name of the IANA database, such as America/Toronto.':
    'المنطقة الزمنية اسم من قاعدة IANA مثل Asia/Riyadh.',
  'A verified masjid has the time of its verification.': 'للمسجد الموثّق وقت توثيقه.',
  'A website is an absolute https address.': 'عنوان الموقع كامل ويبدأ بـ \u2066https://\u2069.',
  'Adjustments are whole minutes from -99 to 99 by the name of a prayer, such as {"fajr": 2}.':
    'التعديلات دقائق صحيحة من ‎-99 إلى 99 لكل صلاة.',
  'An Arabic name is not empty; leave it out if there is none.': 'لا يكون الاسم العربي فارغًا؛ اتركه إن لم يوجد.',
  'An address is not empty.': 'العنوان مطلوب.',
  'An e-mail address is written in small letters, such as office@example.org.':
    'يُكتب البريد الإلكتروني بأحرف صغيرة مثل office@example.org.',
  'Isha is 30 to 180 minutes after Maghrib.': 'العشاء بعد المغرب بـ 30 إلى 180 دقيقة.',
  'Languages are BCP 47 tags such as en or ar-EG, each once.': 'اللغات رموز مثل en أو ar-EG، كل منها مرة واحدة.',
  'The angle of Fajr is 9 to 22 degrees.': 'زاوية الفجر من 9 إلى 22 درجة.',
  'The angle of Isha is 9 to 22 degrees.': 'زاوية العشاء من 9 إلى 22 درجة.',
  'The angle of Maghrib is 1 to 8 degrees.': 'زاوية المغرب من 1 إلى 8 درجات.',
  'The hijri date is moved by at most 3 days.': 'يُزاح التاريخ الهجري 3 أيام على الأكثر.',
  'The legal body behind a masjid is one of the entities.': 'الجهة القانونية للمسجد غير مسجّلة.',
  'The list of facilities has no empty entries.': 'لا تحتوي قائمة المرافق على خانات فارغة.',
  'The method Other needs an angle of Fajr and either an angle or minutes for Isha; other methods have none of their own.':
    'تحتاج طريقة الحساب الخاصة إلى زاوية للفجر، وزاوية أو دقائق للعشاء؛ ولا زوايا خاصة مع الطرق الأخرى.',
  'The slug and the legal body of a masjid, and whether it is listed, are changed by administrators.':
    'اسم المسجد في العناوين وجهته القانونية وإدراجه في الدليل يغيّرها مسؤولو الخدمة.',
  'Masjids are verified by administrators of the service.': 'يوثّق المساجد مسؤولو الخدمة.',
}

const people = {
  'A city is not empty; leave it out if there is none.': 'لا يكون اسم المدينة فارغًا؛ اتركه إن لم يوجد.',
  'A consent has the time at which it was given.': 'للموافقة وقت أُعطيت فيه.',
  'A family name has 1 to 100 characters.': 'اسم العائلة من حرف واحد إلى 100 حرف.',
  'A given name has 1 to 100 characters.': 'الاسم الأول من حرف واحد إلى 100 حرف.',
  'A household belongs to a masjid of the directory.': 'تنتمي الأسرة إلى مسجد مدرج في الدليل.',
  'A member belongs to a masjid of the directory.': 'ينتمي العضو إلى مسجد مدرج في الدليل.',
  'An account belongs to one member of a masjid, deleted ones included.':
    'الحساب لعضو واحد في المسجد، ومن ذلك الأعضاء المحذوفون.',
  'An address is not empty; leave it out if there is none.': 'لا يكون العنوان فارغًا؛ اتركه إن لم يوجد.',
  'An e-mail address belongs to one member of a masjid, deleted ones included.':
    'البريد الإلكتروني لعضو واحد في المسجد، ومن ذلك الأعضاء المحذوفون.',
  'An e-mail address is written in small letters, such as somebody@example.org.':
    'يُكتب البريد الإلكتروني بأحرف صغيرة مثل name@example.org.',
  'There is no such account.': 'لا يوجد حساب كهذا.',
  'Only the person themselves can agree to sharing, or take it back.':
    'لا يوافق على المشاركة أو يتراجع عنها إلا الشخص نفسه.',
  'Somebody with an account agrees to sharing themselves.': 'من له حساب يوافق على المشاركة بنفسه.',
  'Say how the person agreed: paper, online, email, in_person, phone or other.': 'اذكر كيف وافق الشخص.',
  'Say where the consent can be looked up, in 1 to 500 characters.':
    'اذكر أين يمكن الرجوع إلى الموافقة، في 500 حرف على الأكثر.',
  'Give the day on which the person agreed, which is not in the future.':
    'اذكر اليوم الذي وافق فيه الشخص، ولا يكون في المستقبل.',
  'A person of the list is not a member of this masjid, or was deleted.':
    'أحد من في القائمة ليس عضوًا في هذا المسجد، أو حُذف.',
  '"people" is a list of 1 to 2000 objects {id, given_name, family_name, email, phone, joined_on, household, api_sharing}.':
    'في القائمة من شخص واحد إلى 2000 شخص.',
  'A value of the list cannot be read: <what>': 'تعذّرت قراءة قيمة في القائمة: {what}',
}

const team = {
  'A person holds each capability at a masjid once.': 'للشخص كل صلاحية في المسجد مرة واحدة.',
  'Somebody has to manage the capabilities of the masjid: grant that to another person first.':
    'يجب أن يبقى من يدير صلاحيات المسجد: امنحها شخصًا آخر أولًا.',
  'Only an active member of the masjid with an account can hold a capability.':
    'لا تُمنح الصلاحيات إلا لعضو نشط في المسجد له حساب.',
  'The capability "<name>" comes with the person\'s role at the masjid: change the role instead.':
    'تأتي هذه الصلاحية مع دور الشخص في المسجد: غيّر الدور بدلًا منها.',
  'This needs the capability "<name>" at the masjid.': 'لا تملك الصلاحية اللازمة لهذا في المسجد.',
  'Only an app that was given every masjid as its own, or an administrator of the service, may write this.':
    'لا يغيّر هذا إلا مسؤولو الخدمة.',
}

const events = {
  'A capacity is at least 1; leave it out if there is no limit.': 'عدد الأماكن 1 على الأقل؛ اتركه إن لم يكن محدودًا.',
  'A count of people is never negative.': 'لا يكون عدد الأشخاص سالبًا.',
  'A count of places is never negative.': 'لا يكون عدد الأماكن سالبًا.',
  'A location is not empty; leave it out if there is none.': 'لا يكون المكان فارغًا؛ اتركه إن لم يوجد.',
  'None of the months of the rule has such a day, as with 30 February.':
    'ليس في أي شهر من أشهر القاعدة يوم كهذا، مثل 30 فبراير.',
  'A recurrence is a rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=FR, daily at most.':
    'قاعدة التكرار بصيغة RFC 5545 مثل FREQ=WEEKLY;BYDAY=FR، ولا تزيد على مرة في اليوم.',
  'A title has 1 to 200 characters.': 'العنوان من حرف واحد إلى 200 حرف.',
  'An event belongs to a masjid of the directory.': 'تنتمي الفعالية إلى مسجد مدرج في الدليل.',
  'An event cannot follow an Eid prayer.': 'لا ترتبط الفعالية بصلاة العيد.',
  'An event follows a prayer by -240 to 240 minutes.': 'تبعد الفعالية عن الصلاة 240 دقيقة على الأكثر.',
  'An event has one occurrence for each start that its rule gives.': 'للفعالية موعد واحد لكل بداية تعطيها قاعدتها.',
  'An event lasts 1 minute to 14 days.': 'تدوم الفعالية من دقيقة إلى 14 يومًا.',
  'An event that follows a prayer names the prayer and the minutes after it.':
    'تذكر الفعالية المرتبطة بصلاة اسم الصلاة والدقائق بعدها.',
  'An event that is online, or both, needs an address to join it.': 'تحتاج الفعالية عبر الإنترنت إلى عنوان للانضمام.',
  'An occurrence ends after it starts.': 'ينتهي الموعد بعد بدايته.',
  'An online event is joined at an absolute https address.': 'عنوان الانضمام كامل ويبدأ بـ \u2066https://\u2069.',
  'At most 1000 exceptions.': '1000 استثناء على الأكثر.',
  'Only an event that recurs leaves out starts.': 'لا تُستثنى مواعيد إلا من فعالية متكررة.',
  'The list of left-out starts has no empty entries.': 'لا تحتوي قائمة المواعيد المستثناة على خانات فارغة.',
  'There are not enough places left for a party of <count>.': 'لم تبقَ أماكن تكفي {count}.',
  'Members of other masjids answer for themselves.': 'يجيب أعضاء المساجد الأخرى بأنفسهم.',
  'There is no such occurrence.': 'لا يوجد موعد كهذا.',
  'The event is cancelled.': 'أُلغيت الفعالية.',
  'The event is over.': 'انتهت الفعالية.',
  'An answer is going, maybe or declined.': 'الرد هو الحضور أو ربما أو الاعتذار.',
  'A party has 1 to 50 people.': 'العدد من 1 إلى 50 شخصًا.',
  'The masjid has noted already that you were there.': 'سجّل المسجد من قبل أنك حضرت.',
  'Nobody is signed in: up_rsvp is the answer of the person for whom an app acts.': 'لم يسجّل أحد الدخول، والرد لصاحبه.',
  'This masjid takes no answers of guests.': 'لا يقبل هذا المسجد ردود الضيوف.',
}

const announcements = {
  'An announcement has 1 to 20 texts by language, each with a title of 1 to 200 characters on one line and perhaps a body of at most 5000.':
    'للإعلان نص بلغة واحدة إلى 20 لغة، لكل منها عنوان في سطر واحد حتى 200 حرف، ومتن حتى 5000 حرف إن وُجد.',
  'An announcement is shown somewhere: screen, page or apps.':
    'يظهر الإعلان في مكان ما: الشاشة أو الصفحة أو التطبيقات.',
  'An announcement ends after it starts.': 'ينتهي الإعلان بعد بدايته.',
  'A name has 1 to 200 characters on one line.': 'الاسم في سطر واحد، من حرف واحد إلى 200 حرف.',
  'A place has 1 to 300 characters; leave it out if it is the masjid.': 'المكان حتى 300 حرف؛ اتركه إن كان المسجد.',
  'A place has 1 to 300 characters; leave it out if it is not known.': 'المكان حتى 300 حرف؛ اتركه إن لم يُعرف.',
  'A janazah has a name, a day, and either a time or the prayer it follows; other announcements have none of these.':
    'لصلاة الجنازة اسم ويوم، ووقت أو صلاة تتبعها؛ ولا شيء من ذلك في الإعلانات الأخرى.',
}

const giving = {
  'A campaign belongs to a masjid of the directory.': 'تنتمي الحملة إلى مسجد مدرج في الدليل.',
  'A campaign ends on or after the day it starts.': 'تنتهي الحملة في يوم بدايتها أو بعده.',
  'A currency is three capital letters, as in ISO 4217.': 'العملة ثلاثة أحرف لاتينية كبيرة مثل USD.',
  'A fee is at most the amount of the gift; a reversal has none.':
    'لا تزيد الرسوم على مبلغ التبرع، ولا رسوم للقيد العكسي.',
  'A fee is never negative.': 'لا تكون الرسوم سالبة.',
  'A gift goes to a masjid of the directory.': 'التبرع لمسجد مدرج في الدليل.',
  'A gift is refunded when all of it was given back, and has a refund only after it succeeded.':
    'يُعدّ التبرع مستردًا إذا أُعيد كله، ولا يُسترد إلا بعد نجاحه.',
  'A gift that was received has the time at which it was.': 'للتبرع المستلم وقت استلامه.',
  'A goal is more than 0; leave it out if there is none.': 'الهدف أكبر من 0؛ اتركه إن لم يوجد.',
  'A refund is at most the amount of the gift.': 'لا يزيد المبلغ المسترد على التبرع.',
  'A refund is never negative.': 'لا يكون المبلغ المسترد سالبًا.',
  'A reference belongs to one gift of the masjid.': 'المرجع لتبرع واحد في المسجد: هذا المرجع مسجّل من قبل.',
  'A name is one line, without characters that are not seen.': 'الاسم سطر واحد بلا أحرف غير مرئية.',
  'A reference has 1 to 100 characters.': 'المرجع من حرف واحد إلى 100 حرف.',
  'Never write down the number of a payment card.': 'لا تكتب رقم بطاقة الدفع أبدًا.',
  'An anonymous gift names no member, no recurring gift, no name and no e-mail address.':
    'لا يُذكر في تبرع فاعل الخير عضو ولا اسم ولا بريد إلكتروني.',
  'The amount of a gift is more than 0, that of a reversal less.':
    'مبلغ التبرع أكبر من 0، ومبلغ القيد العكسي أصغر منه.',
  'What was raised is never negative.': 'لا يكون المبلغ المجموع سالبًا.',
  'There is no such gift to reverse.': 'لا يوجد تبرع كهذا لإلغائه.',
  'Only a gift that was received can be reversed, and a reversal cannot.':
    'لا يُلغى إلا تبرع مستلم، ولا يُلغى القيد العكسي.',
  'A reversal has the masjid, campaign and currency of its gift; leave them out.':
    'للقيد العكسي مسجد تبرعه وحملته وعملته.',
  'Only <rest> of the gift is left to reverse.': 'لم يبقَ من التبرع لإلغائه إلا {rest}.',
  'What a reversal reverses never changes.': 'لا يتغير التبرع الذي يلغيه القيد العكسي.',
  'The amount of a reversal never changes.': 'لا يتغير مبلغ القيد العكسي.',
  'More was reversed than would be left of the gift.': 'أُلغي من التبرع أكثر مما سيبقى منه.',
  'Gifts are only ever added. To correct one, insert a row that reverses it.':
    'تُضاف التبرعات ولا تُغيَّر. لتصحيح تبرع أضف قيدًا يلغيه.',
}

const times = {
  'A confidence is from 0 to 1.': 'درجة الثقة من 0 إلى 1.',
  'A day of a timetable has an adhan, an iqamah or both.': 'ليوم الجدول أذان أو إقامة أو كلاهما.',
  'A fixed rule has a time and no bounds, an offset has minutes, a rounded offset has minutes and a step.':
    'للوقت الثابت ساعة بلا حدود، وللإقامة بعد الأذان دقائق، وللمقرّبة دقائق وخطوة.',
  'A fixed time does not change by the week.': 'لا يتغير الوقت الثابت كل أسبوع.',
  'A hijri year is from 1300 to 1700.': 'السنة الهجرية من 1300 إلى 1700.',
  'A khutbah begins 0 to 120 minutes before the iqamah.': 'تبدأ الخطبة قبل الإقامة بـ 120 دقيقة على الأكثر.',
  "A khutbah belongs to Jumu'ah only.": 'الخطبة لصلاة الجمعة فقط.',
  'A label has 1 to 200 characters.': 'التسمية من حرف واحد إلى 200 حرف.',
  'A language is a BCP 47 tag such as en or ar-EG.': 'اللغة رمز مثل en أو ar-EG.',
  'A month begins within 3 days of the mean new moon.': 'لا يبعد أول الشهر عن المحاق أكثر من 3 أيام.',
  'A month is announced either by an authority or by a masjid.': 'يعلن الشهر إما هيئة وإما مسجد.',
  'A month is from 1 (Muharram) to 12 (Dhu al-Hijjah).': 'الشهر من 1 (محرم) إلى 12 (ذو الحجة).',
  'A priority is from 0 to 100.': 'الأولوية من 0 إلى 100.',
  'A rule is in force on one day at least.': 'تسري القاعدة يومًا واحدًا على الأقل.',
  'A session is 1 to 9.': 'رقم الجماعة من 1 إلى 9.',
  'A session is from 1 to 9.': 'رقم الجماعة من 1 إلى 9.',
  'A source belongs to a masjid of the directory.': 'ينتمي المصدر إلى مسجد مدرج في الدليل.',
  'A source is read from an absolute https address.': 'عنوان المصدر كامل ويبدأ بـ \u2066https://\u2069.',
  'A source of the kind ical or api needs an address.': 'يحتاج المصدر المتابَع إلى عنوان.',
  'A timetable belongs to a masjid of the directory.': 'ينتمي الجدول إلى مسجد مدرج في الدليل.',
  'A timetable has at least one time.': 'في الجدول وقت واحد على الأقل.',
  'A timetable has one time for each day, prayer and session.': 'في الجدول وقت واحد لكل يوم وصلاة وجماعة.',
  'A weekday is 1 (Monday) to 7 (Sunday).': 'يوم الأسبوع من 1 (الاثنين) إلى 7 (الأحد).',
  'An iqamah is 0 to 240 minutes after the adhan.': 'الإقامة بعد الأذان بـ 240 دقيقة على الأكثر.',
  'An iqamah is rounded up to steps of 2 to 60 minutes.': 'تُقرَّب الإقامة إلى خطوات من 2 إلى 60 دقيقة.',
  'An iqamah rule belongs to a masjid of the directory.': 'تنتمي قاعدة الإقامة إلى مسجد مدرج في الدليل.',
  'Each source of a masjid has a priority of its own, deleted ones included.': 'لكل مصدر في المسجد أولوية خاصة به.',
  "Jumu'ah is on a Friday.": 'الجمعة يوم الجمعة.',
  'The earliest time is not after the latest.': 'لا يكون أبكر وقت بعد آخر وقت.',
  'The last day is not before the first.': 'لا يكون آخر يوم قبل أول يوم.',
  'The name of an imam has 1 to 200 characters; leave it out if it is not known.':
    'اسم الإمام حتى 200 حرف؛ اتركه إن لم يُعرف.',
  'The source of an iqamah rule belongs to the same masjid.': 'مصدر قاعدة الإقامة من المسجد نفسه.',
  'Two rules for the same prayer, session, season and priority never hold on the same day.':
    'لا تسري قاعدتان للصلاة والجماعة والموسم والأولوية نفسها في يوم واحد.',
  'Weekdays are numbers from 1 (Monday) to 7 (Sunday); leave them out for every day.':
    'أيام الأسبوع أرقام من 1 (الاثنين) إلى 7 (الأحد)؛ اتركها لكل الأيام.',
  'At most 300 timetables are kept for a masjid: undo some that are no longer needed.':
    'يُحتفظ بـ 300 جدول للمسجد على الأكثر: تراجع عما لم يعد لازمًا.',
  '"days" is a list of 1 to 5000 objects {date, prayer, session, adhan, iqamah}.':
    'في الجدول من وقت واحد إلى 5000 وقت.',
  'The source of a timetable belongs to the same masjid.': 'مصدر الجدول من المسجد نفسه، ولم يُوقَف.',
  'The days of a timetable lie between 400 days ago and 800 days from now.':
    'أيام الجدول بين 400 يوم مضت و800 يوم قادمة.',
  'A newer timetable of the same source has replaced this one: undo that one first.':
    'حلّ محل هذا الجدول جدول أحدث من المصدر نفسه: تراجع عن الأحدث أولًا.',
  'Rules are made of a timetable with days that counts.': 'تُستخرج القواعد من جدول أيام سارٍ.',
  '"rules" is a list of 1 to 200 objects.': 'عدد القواعد من 1 إلى 200.',
  'Each day has a date such as 2026-11-16, a prayer, and times such as 05:30: <what>':
    'لكل يوم تاريخ مثل 2026-11-16 وصلاة وأوقات مثل 05:30: {what}',
  'A rule has a form of pc_iqamah_schedules: <what>': 'تعذّرت قراءة إحدى القواعد: {what}',
  'A change begins today or later: what people prayed by stays as it was.':
    'يبدأ التغيير اليوم أو بعده، فما صلّى الناس به يبقى كما كان.',
  'A change begins within 400 days, and lasts at most 400 days if it ends.':
    'يبدأ التغيير خلال 400 يوم، ولا يدوم أكثر من 400 يوم إن كان له آخر.',
  'A planned change is published on its first day at the latest.': 'يُنشر التغيير المخطط في أول أيامه على الأكثر.',
  'Only people plan changes: their rights are checked again when the time comes.':
    'لا يخطط للتغييرات إلا الأشخاص: تُراجع صلاحياتهم حين يحين الوقت.',
  'At most 100 changes are planned at once.': 'يُخطط لـ 100 تغيير في آن واحد على الأكثر.',
  'A change names the masjid, the prayer and the first day.': 'يذكر التغيير المسجد والصلاة وأول يوم.',
  'This would replace <days> days of published timetables. Nothing was written: give a last day, or say replace_timetables.':
    'يحل هذا محل {days} من أيام الجداول المنشورة. لم يُكتب شيء: حدد آخر يوم، أو اذكر replace_timetables.',
  'Timetables published since have <days> of its days. Nothing was written.':
    'في جداول نُشرت بعده {days} من أيامه. لم يُكتب شيء.',
  'Somebody else has published or undone a timetable since. Nothing was written.':
    'نشر شخص آخر جدولًا بعد ذلك أو تراجع عن جدول. لم يُكتب شيء.',
  'Somebody else has changed this prayer since. Nothing was written.':
    'غيّر شخص آخر هذه الصلاة في أثناء ذلك. لم يُكتب شيء.',
  'A planned change has its time in the future.': 'وقت التغيير المخطط في المستقبل.',
  'Only a planned change can be called off.': 'لا يُلغى إلا تغيير مخطط.',
  'The rules of this prayer were changed since. Take back the later change first, or make a new one.':
    'تغيّرت قواعد هذه الصلاة بعد ذلك. تراجع عن التغيير اللاحق أولًا، أو أنشئ تغييرًا جديدًا.',
  'Only a published change can be taken back.': 'لا يُتراجع إلا عن تغيير منشور.',
  'Its days were over before it could be made.': 'انتهت أيامه قبل أن يُنفَّذ.',
  'Month <month> of <year> cannot begin on <day>: another announced month begins <months> month(s) <side> it, <days> day(s) away, and months have 29 or 30 days.':
    'لا يبدأ الشهر {month} من سنة {year} يوم {day}: أُعلن شهر آخر يبعد عنه {days} يومًا، والشهر 29 أو 30 يومًا.',
  'A masjid announces each month once; announcing it again corrects it.':
    'يعلن المسجد كل شهر مرة واحدة، وإعلانه من جديد تصحيح له.',
  'An authority announces each month once; announcing it again corrects it.':
    'تعلن الهيئة كل شهر مرة واحدة، وإعلانه من جديد تصحيح له.',
  'Say who announces: masjid_id or authority_id, one of them.': 'اذكر من يعلن: المسجد أو الهيئة، أحدهما.',
}

/** What the API itself refuses with. */
const writing = {
  'Somebody else has changed this row since the version given in if_version. Nothing was written.':
    'غيّر شخص آخر هذه البيانات في أثناء ذلك. لم يُكتب شيء.',
  'This row, or the masjid or person it belongs to, is not yours to write. Nothing was written.':
    'لا تملك صلاحية تغيير هذه البيانات. لم يُكتب شيء.',
  'A value is missing for <columns>.': 'هناك قيمة ناقصة ({columns}).',
  'A row with the same value of <columns> exists already.': 'توجد بيانات بالقيمة نفسها من قبل ({columns}).',
  'The value of <columns> overlaps with that of another row.': 'تتداخل القيمة مع بيانات أخرى ({columns}).',
  'There is no row that <columns> could refer to.': 'لا يوجد ما تشير إليه القيمة ({columns}).',
  'Other rows still refer to this one.': 'ما زالت بيانات أخرى مرتبطة بهذه.',
  'A value is out of range.': 'إحدى القيم خارج الحدود المسموحة.',
  'The value of <columns> is not allowed.': 'القيمة غير مسموحة ({columns}).',
  'At most <count> characters.': '{count} حرف على الأكثر.',
  'The id of a row never changes.': 'لا يتغير معرّف البيانات.',
  'Each <thing> has an id of its own.': 'لكل عنصر معرّف خاص به.',
}

export const arabicRules: Readonly<Record<string, string>> = {
  ...masjids,
  ...people,
  ...team,
  ...events,
  ...announcements,
  ...giving,
  ...times,
  ...writing,
}
