// English: the screen in the hall, and the words for dates that it shares with print and share.
export const hall = {
  adhan: 'Adhan',
  iqamah: 'Iqamah',
  khutbah: 'Khutbah',
  next: 'Next: {prayer} at {time}',
  screen: 'The screen in the hall',
  hijriDate: '{day} {month} {year} AH',
  hijriMonths: {
    m1: 'Muharram',
    m2: 'Safar',
    m3: 'Rabi‘ al-Awwal',
    m4: 'Rabi‘ al-Thani',
    m5: 'Jumada al-Ula',
    m6: 'Jumada al-Akhirah',
    m7: 'Rajab',
    m8: 'Sha‘ban',
    m9: 'Ramadan',
    m10: 'Shawwal',
    m11: 'Dhu al-Qa‘dah',
    m12: 'Dhu al-Hijjah',
  },
}
