// What the headings of timetables are called in English, Arabic, Turkish, Urdu, French and Indonesian.
import { plainText } from './plain-words.ts'

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).map(plainText))

export type DailyPrayer = 'fajr' | 'dhuhr' | 'asr' | 'maghrib' | 'isha' | 'jumuah' | 'taraweeh'

export const prayerWords: Readonly<Record<DailyPrayer, ReadonlySet<string>>> = {
  fajr: setOf('fajr fajir fajer fajar fadjr fecr subh sobh subuh shubuh sabah الفجر فجر الصبح صبح'),
  dhuhr: setOf(
    'dhuhr duhr zuhr zuhar zohar dhuhur dzuhur zuhur dohr dhohr zohr thuhr öğle ogle lohor luhur الظهر ظهر ظہر',
  ),
  asr: setOf('asr asar ashar asser ikindi العصر عصر'),
  maghrib: setOf('maghrib magrib maghreb akşam aksam المغرب مغرب'),
  isha: setOf('isha ishaa esha icha isya isyak yatsı yatsi العشاء عشاء العشا عشا'),
  jumuah: setOf('jumuah jumua jummah jumma jumah juma jumaah joumoua jomoa djoumoua jumat cuma الجمعة جمعة جمعہ'),
  taraweeh: setOf('taraweeh tarawih taraweh tarawih teravih التراويح تراويح تراویح'),
}

export const iqamahWords = setOf(
  'iqamah iqama iqamat iqaamah ikamah iqomah iqomat kamet ikamet cemaat jamaat jamaah jamat jama jamah jamaa congregation الإقامة اقامة إقامة اقامت الجماعة جماعة جماعت',
)
export const adhanWords = setOf(
  'adhan adhaan azan athan azaan adan adzan ezan begins begin beginning start starts vakit giris entree debut masuk awal الأذان اذان أذان وقت الوقت دخول',
)
export const dateWords = setOf(
  'date dates tarih تاريخ التاريخ تاریخ tanggal tgl datum miladi masehi ميلادي الميلادي gregorian',
)
export const dayWords = setOf('day days jour jours gun اليوم يوم دن hari weekday الأيام')
export const monthWords = setOf('month mois ay الشهر شهر مہینہ bulan')
export const yearWords = setOf('year annee yil السنة سنة سال tahun')
/** Known, and of no use here. */
export const otherWords = setOf(
  'sunrise shuruq shurooq ishraq chourouk chourouq gunes terbit syuruq dhuha duha الشروق شروق طلوع اشراق hijri hicri hijriah hegire هجري الهجري ہجری ramadan ramazan رمضان khutbah khutba khutbe hutbe khotba الخطبة خطبة sunset midnight qiyam tahajjud zawal zawaal',
)
/** Fajr's beginning in Turkish timetables; elsewhere some minutes before it. */
export const imsakWords = setOf('imsak imsaak امساك الإمساك')
export const turkishWords = setOf('öğle ikindi akşam yatsı güneş')

export const ordinalOf = (words: readonly string[]): number | undefined => {
  const ordinals = [
    '1 1st first i birinci premier الاولى الاول اولى pertama',
    '2 2nd second ii ikinci deuxieme الثانيه الثاني ثانيه kedua',
    '3 3rd third iii الثالثه الثالث',
  ]
  const found = ordinals.findIndex(list => words.some(word => list.split(' ').map(plainText).includes(word)))
  return found === -1 ? undefined : found + 1
}
