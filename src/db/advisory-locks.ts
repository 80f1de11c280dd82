// The numbers of the advisory locks that let one process of many do something. In one place, so that no two are the same.

export const advisoryLocks = {
  migration: 6_206_147,
  prayerJob: 6_206_148,
  sandboxRenewal: 6_206_149,
  housekeeping: 6_206_150,
  /** The second argument of hashtextextended in the functions that announce hijri months. */
  hijriMonths: 6_206_151,
  prayerWatch: 6_206_152,
  demoData: 6_206_153,
  /** The second argument of hashtextextended in the functions that grant and withdraw capabilities. */
  capabilities: 6_206_170,
  monthsOfLogs: 6_206_171,
  /** The second argument of hashtextextended in the functions that change iqamah rules. */
  iqamahChanges: 6_206_173,
  changeLog: 6_206_251,
  directoryImport: 6_206_252,
  webhooks: 6_206_260,
  /** With the number of a process as the second key. */
  presence: 6_206_261,
} as const
