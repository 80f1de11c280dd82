// English: the events of the audit log, in words.

export const auditEvents: Readonly<Record<string, string>> = {
  'account.signed_up': 'Account created',
  'account.email_confirmed': 'Email address confirmed',
  'account.signed_in': 'Signed in',
  'account.sign_in_refused': 'Sign-in refused: wrong password',
  'account.signed_out': 'Signed out',
  'account.session_ended': 'Session ended',
  'account.sessions_ended': 'All other sessions ended',
  'account.password_reset_asked': 'New password asked for',
  'account.password_reset': 'Password reset by mail',
  'account.password_changed': 'Password changed',
  'account.email_change_asked': 'Change of email address asked for',
  'account.email_changed': 'Email address changed',
  'account.profile_changed': 'Profile changed',
  'oauth.consent_given': 'App allowed',
  'oauth.consent_denied': 'App denied',
  'account.consent_withdrawn': 'Access of an app withdrawn',
}
