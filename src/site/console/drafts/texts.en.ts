// English: drafts of registrations.

export const drafts = {
  heading: 'Drafts',
  save: 'Save as a draft',
  saved: 'Saved as a draft.',
  failed: 'The draft could not be saved. Copy what you wrote before you leave the page.',
  savedNotice: 'Saved. You find it here until you send it.',
  savedAt: 'Saved',
  untitled: 'App without a name',
  resume: 'Continue',
  resumeNamed: 'Continue with {name}',
  discard: 'Discard',
  discardNamed: 'Discard {name}',
}
