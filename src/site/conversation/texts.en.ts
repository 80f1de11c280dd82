// English: what reviewers and the team of an app write to each other.

export const conversation = {
  title: 'Messages',
  lead: 'What reviewers and your team write to each other about this app. Everybody in the team can read it.',
  deskTitle: 'Conversation with the owner',
  none: 'Nobody has written yet.',
  sides: { team: 'team of the app', reviewer: 'reviewer' },
  kinds: { changes_requested: 'changes requested', sent_again: 'sent for review again' },
  aboutChange: 'about a change',
  yourMessage: 'Message',
  toTeamHint: 'The owner gets it by mail and answers in the console.',
  toReviewersHint: 'Reviewers get a mail and answer here.',
  send: 'Send',
  sendBack: 'Send, and return to review',
  sendBackHint: 'Changes were requested. Edit the app, or answer here if nothing in it has to change.',
  edit: 'Edit the app',
  onlyReading: 'You can read the messages. Owners and developers of the app can write.',
  missing: 'Write a message.',
  done: {
    sent: 'Your message was sent.',
    back: 'Your answer was sent, and the app is waiting for review again.',
  },
  requested: 'A reviewer asks for changes before deciding.',
  read: 'Read and answer',
  request: {
    title: 'Request changes',
    text: 'It leaves the queue until the owner edits it or answers.',
    label: 'What has to change',
    button: 'Request changes',
    waiting: 'Waiting for the owner',
    waitingText: 'Changes were requested. You can still decide, or write again.',
  },
  notes: {
    title: 'Internal notes',
    hint: 'Only reviewers and administrators read these; never the owner.',
    label: 'Note',
    none: 'No notes.',
    save: 'Save the note',
    missing: 'Write a note.',
  },
  templates: {
    label: 'Start from a template',
    hint: 'In the language of the owner: {language}. Edit it before you send it.',
    choose: 'Choose a template',
    insert: 'Insert',
  },
  reasons: {
    purpose: {
      title: 'What it does is not clear',
      text: 'Please describe what the app does, who runs it and who it is for. The description should let people decide whether to trust it.',
    },
    homePage: {
      title: 'No home page',
      text: 'Please add a home page that describes the app and says who runs it and how to reach them.',
    },
    redirectUris: {
      title: 'Redirect URIs on another host',
      text: 'Some redirect URIs are on a host other than your home page. Please remove them, or explain whose host it is.',
    },
    scopes: {
      title: 'More scopes than it needs',
      text: 'The app asks for more than its description explains. Please remove the scopes it does not need, or say what each one is for.',
    },
    personal: {
      title: 'Personal data',
      text: 'The app asks for personal data of other people. Please explain which masjids asked for it, what the data is used for, and how long you keep it.',
    },
    name: {
      title: 'Name too close to another',
      text: 'The name is too close to that of another app or organisation. Please choose one that people cannot mistake for it.',
    },
  },
}
