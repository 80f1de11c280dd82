// English: signing out because an app asks for it.

export const logout = {
  title: 'Sign out of Minaret?',
  text: 'An app asks that you be signed out here as well.',
}
