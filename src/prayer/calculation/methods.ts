// Conventions of authorities that adhan lacks, as adhan parameters. What an authority publishes decides: angles first,
// then the minutes that its tables add and the way they round.
import { CalculationMethod, CalculationParameters, Rounding } from 'adhan'

export type AdjustedPrayer = 'fajr' | 'sunrise' | 'dhuhr' | 'asr' | 'maghrib' | 'isha'

interface Convention {
  readonly fajr: number
  /** Degrees, or minutes after sunset. */
  readonly isha: number | { readonly minutes: number }
  readonly maghrib?: number
  /** Minutes that its tables add to what the sun gives. */
  readonly added?: Readonly<Partial<Record<AdjustedPrayer, number>>>
  readonly rounding?: 'up'
}

/** As in adhan: a minute for the sun to leave the meridian. */
const leavesMeridian = { dhuhr: 1 } as const

const conventions = {
  /** Ministry of Religious Affairs and Wakfs. */
  Algeria: { fajr: 18, isha: 17, added: { ...leavesMeridian, maghrib: 3 } },
  /** Musulmans de France (formerly UOIF). */
  France12: { fajr: 12, isha: 12, added: leavesMeridian },
  France15: { fajr: 15, isha: 15, added: leavesMeridian },
  /** Grande Mosquée de Paris. */
  France18: { fajr: 18, isha: 18, added: leavesMeridian },
  /** Used around the Gulf where no national method is followed. */
  Gulf: { fajr: 19.5, isha: { minutes: 90 } },
  /** Leva Institute, Qum: Maghrib when the redness has left the eastern sky. */
  Jafari: { fajr: 16, isha: 14, maghrib: 4 },
  /** Jabatan Kemajuan Islam Malaysia. Fajr was at 20° until the end of 2019. The minutes cover the width of its zones. */
  Jakim: {
    fajr: 18,
    isha: 18,
    added: { fajr: 2, sunrise: -1, dhuhr: 2, asr: 1, maghrib: 1, isha: 1 },
    rounding: 'up',
  },
  /** Ministry of Awqaf, Islamic Affairs and Holy Places. */
  Jordan: { fajr: 18, isha: 18, added: { ...leavesMeridian, maghrib: 5 } },
  /** Kementerian Agama Republik Indonesia, with its precaution (ihtiyat). */
  Kemenag: {
    fajr: 20,
    isha: 18,
    added: { fajr: 2, sunrise: -4, dhuhr: 3, asr: 2, maghrib: 3, isha: 2 },
    rounding: 'up',
  },
  /** Comunidade Islâmica de Lisboa: Maghrib three minutes after sunset, Isha 77 minutes after Maghrib. */
  Lisbon: { fajr: 18, isha: { minutes: 80 }, added: { ...leavesMeridian, maghrib: 3 } },
  /** Ministry of Habous and Islamic Affairs. */
  Morocco: { fajr: 19, isha: 17, added: { sunrise: -3, dhuhr: 5, maghrib: 5 } },
  /** Spiritual Administration of Muslims of Russia. */
  Russia: { fajr: 16, isha: 15, added: leavesMeridian },
  /** Ministry of Religious Affairs. */
  Tunisia: { fajr: 18, isha: 18, added: leavesMeridian },
} as const satisfies Record<string, Convention>

type AdhanMethod = Exclude<keyof typeof CalculationMethod, 'Other'>
type OurMethod = keyof typeof conventions

export type MethodName = AdhanMethod | OurMethod | 'Other'

/** The angles and minutes of a masjid with the method Other. */
export interface OwnAngles {
  readonly fajr_angle: number | null
  readonly isha_angle: number | null
  readonly isha_minutes: number | null
  readonly maghrib_angle: number | null
}

const fromConvention = ({ fajr, isha, maghrib, added, rounding }: Convention): CalculationParameters => {
  const [angle, minutes] = typeof isha === 'number' ? [isha, 0] : [0, isha.minutes]
  const parameters = new CalculationParameters('Other', fajr, angle, minutes, maghrib)
  parameters.methodAdjustments = { ...parameters.methodAdjustments, ...added }
  if (rounding === 'up') parameters.rounding = Rounding.Up
  return parameters
}

const fromOwnAngles = ({ fajr_angle, isha_angle, isha_minutes, maghrib_angle }: OwnAngles): CalculationParameters =>
  new CalculationParameters('Other', fajr_angle ?? 0, isha_angle ?? 0, isha_minutes ?? 0, maghrib_angle ?? 0)

/** Every method, as pc_calculation_method has them. */
export const methodNames = [
  ...Object.keys(CalculationMethod).filter(name => name !== 'Other'),
  ...Object.keys(conventions),
  'Other',
].toSorted() as readonly MethodName[]

const isOurs = (method: MethodName): method is OurMethod => Object.hasOwn(conventions, method)
const isAdhans = (method: MethodName): method is AdhanMethod => Object.hasOwn(CalculationMethod, method)

export const methodParameters = (method: MethodName, own: OwnAngles): CalculationParameters => {
  if (method === 'Other') return fromOwnAngles(own)
  if (isOurs(method)) return fromConvention(conventions[method])
  if (isAdhans(method)) return CalculationMethod[method]()
  // A later version beside this one has more.
  throw new Error(`this version does not know the method "${method}"`)
}
