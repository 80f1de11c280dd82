// English: the landing page.

export const en = {
  title: 'One API for masjids',
  lead: 'Where they are, when they pray, what happens there. Apps ask one GraphQL endpoint; people sign in and decide what an app may see of them.',
  today: {
    title: 'Today at {name}',
    sandbox: 'sandbox',
    ask: 'The query behind this',
  },
  ways: {
    title: 'Three ways on',
    ask: {
      title: 'Ask',
      text: 'Write a query with completion and documentation beside it, and run it on the sandbox.',
      link: 'Open the explorer with today’s times',
    },
    signIn: {
      title: 'Sign people in',
      text: 'Authorization code with PKCE: people see what your app asks for, and can take it back.',
      link: 'Read the guide',
    },
    run: {
      title: 'Run it yourself',
      text: 'In a checkout, on Linux, macOS or WSL, with Node 20 or later. It brings its own PostgreSQL and demo data.',
      command: 'The command that starts Minaret',
    },
  },
  map: {
    title: 'The masjids of the sandbox',
    lead: 'Invented masjids in real cities. A larger dot stands for more of them.',
    label: 'Map of the world: {count} masjids in {countries} countries. The list below says how many are in each.',
    list: 'As a list: {count} masjids in {countries} countries',
    city: '{city}: {count}',
    ask: 'Find those near a place',
  },
  tryTitle: 'Ask something',
  tryLead: 'This is the sandbox: invented data, no account. Change the query and run it.',
  queryLabel: 'Query',
  run: 'Run',
  running: 'Running …',
  answerLabel: 'Answer',
  answerHere: 'The answer appears here.',
  failed: 'The sandbox could not be reached.',
  inExplorer: 'Open in the explorer',
  fromTerminal: 'The same from a terminal',
  contentTitle: 'What is in it',
  areas: [
    {
      name: 'Masjid directory',
      text: 'Names, addresses, facilities, languages. Search by name or by distance.',
      table: 'up_masjids',
    },
    {
      name: 'Prayer times',
      text: 'Calculated adhan and the masjid’s own iqamah, as full instants, 400 days ahead.',
      table: 'pc_prayer_times',
    },
    {
      name: 'Events',
      text: 'Lectures, classes, iftars, with every occurrence, even “20 minutes after Isha”.',
      table: 'up_event_occurrences',
    },
    {
      name: 'Donations',
      text: 'Campaigns and gifts, each fund apart. Only for those who may see them.',
      table: 'ua_donations',
    },
    { name: 'Members', text: 'People who agreed to be seen, and no others.', table: 'ua_members' },
  ],
  stepsTitle: 'From here to your app',
  steps: [
    {
      title: 'Build against the sandbox',
      text: 'No account needed. A public test key opens invented people as well.',
      link: '/docs/sandbox',
    },
    {
      title: 'Register your app',
      text: 'Say what it does and which scopes it needs. A person reviews it.',
      link: '/docs/get-an-app',
    },
    {
      title: 'Sign people in, or ask as a server',
      text: 'Authorization code with PKCE, client credentials, or an API key.',
      link: '/docs/authorization-code',
    },
    { title: 'Change one address', text: 'Your queries stay as they are.', link: '/docs/first-query' },
  ],
  guidesTitle: 'Guides',
  allGuides: 'All documentation',
  explorer: 'Explorer',
  openConsole: 'Developer console',
}

export type LandingTexts = typeof en
