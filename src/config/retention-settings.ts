// How long what is recorded is kept.
import { wholeNumber } from './readers.ts'
import { setting } from './setting.ts'

export const retentionSettings = {
  changeLogDays: setting({
    name: 'CHANGE_LOG_DAYS',
    fallback: 7,
    shown: '7',
    read: wholeNumber(1, 365),
    meaning:
      'How many days the change log is kept. A cursor of `up_changes_since` that is older is refused (`cursor-too-old`).',
  }),
  announcedDays: setting({
    name: 'ANNOUNCED_DAYS',
    fallback: 400,
    shown: '400',
    read: wholeNumber(14, 400),
    meaning:
      'How many days ahead the times of masjids with rules or timetables of their own are kept as rows, about 1.2 kB a day and masjid: from 14 to 400, and up to a week fewer until the next are added. Days after them are answered as well, more slowly.',
  }),
  /** Of masjids that nobody looks after. */
  askedDays: setting({
    name: 'ASKED_DAYS',
    fallback: 30,
    shown: '30',
    read: wholeNumber(1, 400),
    meaning:
      'How many days the prayer times of a masjid that nobody looks after stay stored after somebody asked for them. Without stored days they are calculated whenever they are asked for.',
  }),
  askedPerMinute: setting({
    name: 'ASKED_PER_MINUTE',
    fallback: 60,
    shown: '60',
    read: wholeNumber(0, 100_000),
    meaning: 'How many of these masjids are stored in a minute, however many strangers ask for.',
  }),
  askedMasjids: setting({
    name: 'ASKED_MASJIDS',
    fallback: 10_000,
    shown: '10000',
    read: wholeNumber(0, 1_000_000),
    meaning: 'How many of these masjids are stored at a time, each in some 400 rows.',
  }),
  erasureDays: setting({
    name: 'ERASURE_DAYS',
    fallback: 7,
    shown: '7',
    read: wholeNumber(0, 90),
    meaning:
      'How many days pass between the wish to erase an account and doing so. Until then a link in a mail calls it off. After a change of address it is a week at least.',
  }),
  /** In days; written rows with 0 for good. */
  retention: {
    auditLog: setting({
      name: 'AUDIT_LOG_DAYS',
      fallback: 400,
      shown: '400',
      read: wholeNumber(30, 36500),
      meaning:
        'How many days the audit log is kept, by whole months: 13 months, so that what happens once a year can be compared with the year before.',
    }),
    readLog: setting({
      name: 'READ_LOG_DAYS',
      fallback: 90,
      shown: '90',
      read: wholeNumber(30, 36500),
      meaning: 'How many days the record of who read data about people is kept, by whole months.',
    }),
    writtenRows: setting({
      name: 'WRITTEN_ROWS_DAYS',
      fallback: 0,
      shown: '0: for good',
      read: wholeNumber(0, 36500),
      meaning:
        'How many days the audit trail of written rows is kept, by whole months. It is also the `history` of each row, so nothing is dropped unless you say so.',
    }),
  },
}
