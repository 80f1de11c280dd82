// Texts of the mail that was given up, in English.
export const mailEn = {
  lead: 'Mail that the mail server refused for good, or that could not be sent in twelve attempts. It is removed after 30 days.',
  caption: 'Mail that was given up',
  empty: 'No mail was given up',
  emptyText: 'What waits is tried again by itself.',
  recipient: 'To',
  subject: 'Subject, and what the mail server said',
  created: 'Written',
  again: 'Send again',
  againTo: 'Send again to {recipient}',
  done: 'It is tried again now. A link in it may have expired.',
  gone: 'This mail is not waiting for a decision any more.',
}
