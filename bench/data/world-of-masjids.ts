// Where masjids of a generated directory are, and what people there call them. Places are real, masjids are not.

export interface Culture {
  /** What a masjid is called: {w} and {v} are words, {c} the city. The first patterns are the usual ones. */
  readonly patterns: readonly string[]
  /** Of names, as written there; the first ones are the usual ones. */
  readonly words: readonly string[]
  /** Of small towns: each first half with each second half. */
  readonly towns: readonly [first: readonly string[], second: readonly string[], between?: string]
}

const list = (text: string): readonly string[] => text.split(' ')

const englishWords = list(
  'An-Noor At-Taqwa Al-Huda Bilal As-Salam Al-Falah Ar-Rahman Al-Iman Al-Farooq Ibrahim Khadijah Al-Ihsan Quba Aisha Tawheed Al-Furqan Al-Hidayah Omar Yusuf Maryam Al-Mumin Uthman Zakariya Al-Aqsa Hamza Salahuddin Nimra Sofia Al-Amin Rawdah',
)

export const cultures = {
  english: {
    patterns: [
      'Masjid {w}',
      'Islamic Center of {c}',
      '{w} Mosque',
      '{c} Islamic Centre',
      'Masjid {w} {v}',
      '{c} Muslim Association',
      '{c} Mosque',
      'Jamia Masjid {w}',
    ],
    words: englishWords,
    towns: [
      list('North South East West New Old Upper Lower Green Oak Maple Clear Spring River Lake Stone'),
      list('field ford ton ville wood dale brook port bury ham land view bridge side haven mont'),
    ],
  },
  arabic: {
    patterns: ['مسجد {w}', 'جامع {w}', 'مسجد {w} {v}', 'مصلى {w}', 'جامع {c} الكبير', 'مسجد {w} بن {v}'],
    words: list(
      'النور التقوى الرحمن السلام الهدى الفتح بلال عمر الإيمان الصديق الفاروق حمزة علي خالد القدس الأنصار التوحيد الرحمة الفرقان عثمان أبي المدينة قباء الإخلاص العزيز سعد يوسف إبراهيم الصحابة الشهداء',
    ),
    towns: [
      list('كفر منية بني عين تل وادي بئر رأس دير جبل'),
      list('الشيخ صالح سعيد الزيت حسن النخل عمار الغربية الجديدة ربيع يحيى البلد'),
      ' ',
    ],
  },
  turkish: {
    patterns: ['{w} Camii', '{w} Camisi', '{c} Merkez Camii', '{w} Mescidi', '{w} {v} Camii', 'Yeni {w} Camii'],
    words: list(
      'Merkez Fatih Hacı Ulu Yeşil Sultan Mevlana İmam Şehitler Yunus Kubbe Osman Süleymaniye Ömer Işık Nur Beyazıt Emir Hürriyet Çınar Kılıç Bilal Ayşe Orhan Eyüp Hz. Ali Murat Selimiye Ihlamur',
    ),
    towns: [
      list('Yeni Kara Ak Kızıl Çam Deli Güzel Köprü Taş Sarı Ulu Demir'),
      list('köy hisar pınar dere tepe ova ören kaya su bağ yurt göl'),
    ],
  },
  malay: {
    patterns: [
      'Masjid {w}',
      'Masjid Jami {w}',
      'Musholla {w}',
      'Masjid {w} {v}',
      'Langgar {w}',
      'Surau {w}',
      'Masjid Agung {c}',
    ],
    words: list(
      'Nurul Baiturrahman Iman Al-Ikhlas Huda Taqwa Hidayah Istiqomah Falah Muttaqin Jannah Amin Furqon Muhajirin Muhtadin Hikmah Sabilillah Darussalam Raudhatul Miftahul Ittihad Salam Rahmah Barokah Anwar Mukminin Kautsar Firdaus Syuhada Rahmat',
    ),
    towns: [
      list('Suka Karang Tanjung Sumber Kota Muara Batu Padang Sungai Pasir Kampung Rawa'),
      list('maju jaya mulya sari indah baru agung makmur raya rejo harjo lestari'),
    ],
  },
  urdu: {
    patterns: ['جامع مسجد {w}', 'مسجد {w}', 'مسجد {w} {v}', '{w} مسجد', 'جامع مسجد {w} {v}'],
    words: list(
      'مدینہ نور غوثیہ فاروق بلال صدیقیہ رضا حنفیہ اقصیٰ قبا فیضان عثمانیہ گلزار رحمانیہ محمدی مکی قدسیہ اکبری طوبیٰ انوار بیت المکرم',
    ),
    towns: [
      list('Chak Pind Kot Dera Basti Thatta Qila Mian Rana Sheikh'),
      list('pur abad garh wala nagar kalan khurd an sher wal'),
    ],
  },
  desi: {
    patterns: ['Jamia Masjid {w}', 'Masjid {w}', '{w} Masjid', 'Jama Masjid {w} {v}', 'Masjid-e-{w}'],
    words: list(
      'Madina Noor Ghousia Farooq Bilal Siddiqia Raza Hanfia Aqsa Quba Faizan Usmania Gulzar Rehmania Mohammadi Makki Qudsia Akbari Tooba Anwar Baitul Mukarram',
    ),
    towns: [
      list('Raja Nawab Sultan Begum Shahi Purana Naya Fateh Azam Moti'),
      list('pur abad ganj nagar bagh mohalla garh khera chowk gaon'),
    ],
  },
  bengali: {
    patterns: ['{w} জামে মসজিদ', 'বায়তুল {w} মসজিদ', '{w} মসজিদ', '{w} {v} জামে মসজিদ', 'কেন্দ্রীয় {w} মসজিদ'],
    words: list('নূর মোকাররম আমান ফালাহ মামুর রহমান সালাম ইসলাম মদিনা হুদা শাহী জান্নাত তাকওয়া মাকবুল আল-আকসা বিলাল খাদিজা উত্তরা পূর্ব দক্ষিণ'),
    towns: [
      list('Char Bara Chhota Ram Shib Kali Gopal Hari Mir Nawab'),
      list('pur ganj hat gaon para tala bari danga khali kathi'),
    ],
  },
  bangla: {
    patterns: ['{w} Jame Masjid', 'Baitul {w} Masjid', '{c} Central Jame Masjid', '{w} {v} Jame Masjid'],
    words: list(
      'Noor Mukarram Aman Falah Mamur Rahman Salam Islam Madina Huda Shahi Jannat Taqwa Maqbul Al-Aqsa Bilal Khadija Uttara Purba Dakshin',
    ),
    towns: [
      list('Char Bara Chhota Ram Shib Kali Gopal Hari Mir Nawab'),
      list('pur ganj hat gaon para tala bari danga khali kathi'),
    ],
  },
  persian: {
    patterns: ['مسجد {w}', 'مسجد جامع {c}', 'مسجد {w} {v}', 'حسینیه {w}'],
    words: list(
      'امام حسین رضا صاحب الزمان فاطمیه جواد سجاد نبی رسول اکبر ابوالفضل گوهرشاد قائم علی مهدی زینب کوثر قدس نور شهدا',
    ),
    towns: [list('Shah Deh Qal Now Kuh Bagh Rud Gol Sang Chah'), list('abad shahr deh dasht rud kuh sar bandar an eh')],
  },
  russian: {
    patterns: ['Мечеть «{w}»', 'Соборная мечеть {w}', 'Мечеть {w} {v}', 'Центральная мечеть {c}'],
    words: list(
      'Нур Ихлас Иман Рамазан Тауба Рашида Хузайфа Марджани Булгар Сулейман Гаиля Ярдэм Ан-Нур Салихан Апанаевская Азимовская Бурнаевская Тынычлык Раис Ислам',
    ),
    towns: [
      list('Ново Старо Верхне Нижне Красно Бело Больше Мало'),
      list('горск камск речье селье полье зерск донск братск'),
    ],
  },
  african: {
    patterns: [
      '{c} Central Mosque',
      'Masallacin {w}',
      'Grande Mosquée de {c}',
      'Mosquée {w}',
      '{w} Mosque',
      'Masjid {w} {v}',
    ],
    words: list(
      'Annur Sultan Bello Touba Darou Salam Abuja Izala Tijaniyya Fagge Usman Danfodio Ansar Rahma Khalifa Serigne Massalik Umar Noor Barakah',
    ),
    towns: [
      list('Gidan Birnin Dan Kauran Unguwar Sabon Tudun Kofar'),
      list('Gari Wada Kudu Arewa Rimi Mairuwa Makama Sule'),
      ' ',
    ],
  },
  european: {
    patterns: [
      '{w} Moschee',
      '{w} Camii {c}',
      'Islamisches Zentrum {c}',
      'Mosquée {w}',
      'Grande Mosquée de {c}',
      '{w} džamija',
      'Moskee {w}',
      'Centre Islamique de {c}',
    ],
    words: list(
      'Fatih Merkez Mevlana Ar-Rahman Al-Fath Selimiye Bilal Tauhid Es-Salam Gazi Husrev-begova Ferhadija Al-Islah El-Nour Essalam Ayasofya Hamza Yavuz Sultan Omar Ibn Khattab Hidajet Careva',
    ),
    towns: [
      list('Alten Neu Ober Unter Saint- Mont Bel Klein Groß Wester'),
      list('burg dorf feld heim ville bach stein beck hoven rode'),
    ],
  },
} satisfies Readonly<Record<string, Culture>>

/** Share: how many of the masjids around there, in all the world's 1,000. */
type Place = readonly [
  city: string,
  state: string | null,
  country: string,
  latitude: number,
  longitude: number,
  timezone: string,
  method: string,
  culture: keyof typeof cultures,
  share: number,
]

export const places: readonly Place[] = [
  ['Jakarta', 'DKI Jakarta', 'ID', -6.2, 106.84, 'Asia/Jakarta', 'Kemenag', 'malay', 58],
  ['Surabaya', 'Jawa Timur', 'ID', -7.25, 112.75, 'Asia/Jakarta', 'Kemenag', 'malay', 52],
  ['Bandung', 'Jawa Barat', 'ID', -6.91, 107.61, 'Asia/Jakarta', 'Kemenag', 'malay', 52],
  ['Makassar', 'Sulawesi Selatan', 'ID', -5.14, 119.42, 'Asia/Makassar', 'Kemenag', 'malay', 22],
  ['Kuala Lumpur', null, 'MY', 3.14, 101.69, 'Asia/Kuala_Lumpur', 'Jakim', 'malay', 18],
  ['Singapore', null, 'SG', 1.35, 103.82, 'Asia/Singapore', 'Singapore', 'malay', 1],
  ['Karachi', 'Sindh', 'PK', 24.86, 67, 'Asia/Karachi', 'Karachi', 'urdu', 40],
  ['Lahore', 'Punjab', 'PK', 31.55, 74.34, 'Asia/Karachi', 'Karachi', 'urdu', 44],
  ['Peshawar', 'Khyber Pakhtunkhwa', 'PK', 34.01, 71.58, 'Asia/Karachi', 'Karachi', 'desi', 20],
  ['Delhi', 'Delhi', 'IN', 28.65, 77.23, 'Asia/Kolkata', 'Karachi', 'desi', 46],
  ['Hyderabad', 'Telangana', 'IN', 17.38, 78.47, 'Asia/Kolkata', 'Karachi', 'desi', 36],
  ['Lucknow', 'Uttar Pradesh', 'IN', 26.85, 80.95, 'Asia/Kolkata', 'Karachi', 'desi', 34],
  ['Dhaka', 'Dhaka', 'BD', 23.81, 90.41, 'Asia/Dhaka', 'Karachi', 'bengali', 52],
  ['Chattogram', 'Chattogram', 'BD', 22.35, 91.78, 'Asia/Dhaka', 'Karachi', 'bangla', 30],
  ['Kolkata', 'West Bengal', 'IN', 22.57, 88.36, 'Asia/Kolkata', 'Karachi', 'bangla', 20],
  ['İstanbul', 'İstanbul', 'TR', 41.01, 28.98, 'Europe/Istanbul', 'Turkey', 'turkish', 16],
  ['Ankara', 'Ankara', 'TR', 39.93, 32.86, 'Europe/Istanbul', 'Turkey', 'turkish', 16],
  ['Konya', 'Konya', 'TR', 37.87, 32.48, 'Europe/Istanbul', 'Turkey', 'turkish', 18],
  ['Diyarbakır', 'Diyarbakır', 'TR', 37.92, 40.23, 'Europe/Istanbul', 'Turkey', 'turkish', 16],
  ['Cairo', 'Cairo', 'EG', 30.04, 31.24, 'Africa/Cairo', 'Egyptian', 'arabic', 30],
  ['الإسكندرية', 'الإسكندرية', 'EG', 31.2, 29.92, 'Africa/Cairo', 'Egyptian', 'arabic', 24],
  ['Riyadh', 'Riyadh', 'SA', 24.71, 46.68, 'Asia/Riyadh', 'UmmAlQura', 'arabic', 24],
  ['Makkah', 'Makkah', 'SA', 21.39, 39.86, 'Asia/Riyadh', 'UmmAlQura', 'arabic', 12],
  ['Madinah', 'Madinah', 'SA', 24.47, 39.61, 'Asia/Riyadh', 'UmmAlQura', 'arabic', 8],
  ['Baghdad', null, 'IQ', 33.32, 44.37, 'Asia/Baghdad', 'MuslimWorldLeague', 'arabic', 12],
  ['دمشق', null, 'SY', 33.51, 36.29, 'Asia/Damascus', 'MuslimWorldLeague', 'arabic', 10],
  ['Amman', null, 'JO', 31.95, 35.93, 'Asia/Amman', 'Jordan', 'arabic', 7],
  ['Dubai', 'Dubai', 'AE', 25.2, 55.27, 'Asia/Dubai', 'Dubai', 'arabic', 8],
  ["Sana'a", null, 'YE', 15.37, 44.19, 'Asia/Aden', 'MuslimWorldLeague', 'arabic', 20],
  ['Khartoum', null, 'SD', 15.5, 32.56, 'Africa/Khartoum', 'Egyptian', 'arabic', 16],
  ['Casablanca', null, 'MA', 33.57, -7.59, 'Africa/Casablanca', 'Morocco', 'arabic', 22],
  ['Algiers', null, 'DZ', 36.75, 3.06, 'Africa/Algiers', 'Algeria', 'arabic', 18],
  ['Tunis', null, 'TN', 36.81, 10.18, 'Africa/Tunis', 'Tunisia', 'arabic', 6],
  ['Tehran', null, 'IR', 35.69, 51.39, 'Asia/Tehran', 'Tehran', 'persian', 24],
  ['مشهد', null, 'IR', 36.3, 59.6, 'Asia/Tehran', 'Tehran', 'persian', 18],
  ['Kabul', null, 'AF', 34.53, 69.17, 'Asia/Kabul', 'Karachi', 'persian', 28],
  ['Казань', 'Татарстан', 'RU', 55.8, 49.11, 'Europe/Moscow', 'Russia', 'russian', 6],
  ['Tashkent', null, 'UZ', 41.3, 69.24, 'Asia/Tashkent', 'MuslimWorldLeague', 'russian', 6],
  ['Kano', 'Kano', 'NG', 12, 8.52, 'Africa/Lagos', 'MuslimWorldLeague', 'african', 34],
  ['Lagos', 'Lagos', 'NG', 6.45, 3.4, 'Africa/Lagos', 'MuslimWorldLeague', 'african', 16],
  ['Dakar', null, 'SN', 14.69, -17.44, 'Africa/Dakar', 'MuslimWorldLeague', 'african', 8],
  ['Bamako', null, 'ML', 12.64, -8, 'Africa/Bamako', 'MuslimWorldLeague', 'african', 10],
  ['Nairobi', null, 'KE', -1.29, 36.82, 'Africa/Nairobi', 'MuslimWorldLeague', 'african', 5],
  ['Berlin', null, 'DE', 52.52, 13.4, 'Europe/Berlin', 'MuslimWorldLeague', 'european', 3],
  ['Paris', null, 'FR', 48.86, 2.35, 'Europe/Paris', 'France15', 'european', 3],
  ['Sarajevo', null, 'BA', 43.86, 18.41, 'Europe/Sarajevo', 'MuslimWorldLeague', 'european', 3],
  ['London', 'England', 'GB', 51.51, -0.13, 'Europe/London', 'MoonsightingCommittee', 'english', 4],
  ['Birmingham', 'England', 'GB', 52.48, -1.9, 'Europe/London', 'MoonsightingCommittee', 'english', 3],
  ['New York', 'NY', 'US', 40.71, -74, 'America/New_York', 'NorthAmerica', 'english', 3],
  ['Houston', 'TX', 'US', 29.76, -95.37, 'America/Chicago', 'NorthAmerica', 'english', 2],
  ['Toronto', 'Ontario', 'CA', 43.65, -79.38, 'America/Toronto', 'NorthAmerica', 'english', 2],
  ['Cape Town', 'Western Cape', 'ZA', -33.92, 18.42, 'Africa/Johannesburg', 'Karachi', 'english', 2],
  ['Sydney', 'NSW', 'AU', -33.87, 151.21, 'Australia/Sydney', 'MuslimWorldLeague', 'english', 2],
]
