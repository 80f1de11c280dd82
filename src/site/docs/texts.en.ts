// English: the frame of the documentation.

export const en = {
  title: 'Documentation',
  lead: 'How to ask, how to be let in, and what there is.',
  contents: 'Contents',
  onThisPage: 'On this page',
  search: 'Search',
  searchLabel: 'Search the documentation',
  searchEmpty: 'Write what you look for into the field.',
  searchNothing: 'Nothing speaks of {words}. Try one word, or look through the contents.',
  asMarkdown: 'This page as Markdown',
  inEnglish: 'This page is in English.',
  groups: { start: 'Start here', access: 'Access', data: 'Data', staff: 'For masjids' },
  reference: 'Reference',
  errorCodes: 'Error codes',
  run: 'Run this',
  running: 'Running …',
  answer: 'Answer of the sandbox',
  failed: 'The sandbox could not be reached.',
  sampleLanguage: 'Language of the sample',
  filledIn: 'The samples have the client ID of your app {app}.',
  otherApps: 'Use another app:',
  /** Made into the guide about limits. */
  limitsTable: {
    what: 'what',
    most: 'most',
    limits: {
      bodyBytes: 'bytes of the body',
      answerBytes: 'bytes of the answer',
      tokens: 'tokens in the document',
      depth: 'fields within fields',
      fields: 'fields, with fragments expanded',
      aliases: 'aliases',
      rootFields: 'fields at the root',
      cost: 'rows that its limits allow (cost)',
      batch: 'operations in a batch',
      page: 'rows in a list',
    },
    rowsUncounted: 'of this installation does not count rows; others may.',
    rowsCounted: 'of this installation answers up to {rows} rows a minute.',
  },
}

export type DocsTexts = typeof en
