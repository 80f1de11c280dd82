// The headings of a list of people → what each column holds, as far as it can be guessed.

export const columnRoles = [
  'given_name',
  'family_name',
  'full_name',
  'email',
  'phone',
  'joined_on',
  'household',
  'sharing',
] as const
export type ColumnRole = (typeof columnRoles)[number]

/** In English, Arabic, Turkish, Urdu, French and Indonesian; the first that fits wins. */
const headings: readonly (readonly [ColumnRole, RegExp])[] = [
  ['email', /e-?mail|courriel|surel|بريد|ای ?میل/],
  ['phone', /phone|mobile|\bcell\b|telefon|t[ée]l[ée]phone|\bgsm\b|telepon|هاتف|جوال|فون|whatsapp/],
  ['household', /household|famil(y|ia) (id|unit)|address group|foyer|hane|keluarga$|أسرة|اسرة|گھرانہ/],
  ['sharing', /shar|agreed|consent|onay|موافق|رضامندی/],
  ['joined_on', /join|since|member(ship)? (from|date)|adh[ée]sion|inscription|kay[ıi]t|bergabung|انضم|عضو منذ|شمولیت/],
  ['family_name', /family|last|surname|soyad|nom de famille|belakang|عائلة|لقب|کنیت/],
  ['given_name', /given|first|forename|^ad[ıi]?$|pr[ée]nom|depan|الاسم الأول|اسم اول|پہلا/],
  ['full_name', /name|^nom$|nama|isim|اسم|نام/],
]

const roleOf = (heading: string): ColumnRole | undefined =>
  headings.find(([, words]) => words.test(heading.toLowerCase().replaceAll('_', ' ').trim()))?.[0]

/** Each role once: a second column that looks like it is left out. */
export const guessColumns = (header: readonly string[]): (ColumnRole | undefined)[] => {
  const taken = new Set<ColumnRole>()
  return header.map(heading => {
    const role = roleOf(heading)
    if (role === undefined || taken.has(role)) return undefined
    taken.add(role)
    return role
  })
}
