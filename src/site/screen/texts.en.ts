// English: a screen before it knows its masjid.
export const screen = {
  pageTitle: 'Screen in the hall',
  title: 'Connect this screen to your masjid',
  open: 'On your phone, open this address and type the code:',
  orScan: 'or scan this:',
  unreachable: 'No connection',
  unreachableHint: 'The screen goes on by itself once it has one.',
  pause: 'Prayer',
}
