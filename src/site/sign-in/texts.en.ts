// English: signing in, signing up, forgotten passwords.

export const signIn = {
  title: 'Sign in',
  toContinue: 'to continue to {app}',
  email: 'Email',
  password: 'Password',
  button: 'Sign in',
  forgot: 'Forgot your password?',
  newHere: 'New here?',
  create: 'Create an account',
  refused: 'This email and password do not match an account. Check both, or reset your password.',
  demoTitle: 'This is a demonstration',
  demoText: 'Sign in with one of these accounts. The password of each is {password}.',
  signedOut: 'You have signed out.',
  passwordChanged: 'Your password was changed. Sign in with the new one.',
  expiredRequest: 'This sign-in took too long. Go back to the app and start again.',
}

export const signUp = {
  title: 'Create an account',
  name: 'Name',
  nameHint: 'As people in your community know you.',
  email: 'Email',
  emailHint: 'We will send a link there to confirm that it is yours.',
  password: 'Password',
  passwordHint: 'At least 10 characters. A few words that only you would put together are easy to remember.',
  button: 'Create account',
  haveOne: 'Already have an account?',
  checkTitle: 'Check your mail',
  checkText: 'We have sent a message to {email}. Open the link in it to go on. It is valid for 24 hours.',
  checkSpam: 'Nothing there? Check your spam folder, or try again in a few minutes.',
  confirmTitle: 'Confirm your email address',
  confirmText: 'Type the password you chose for {email}. That finishes your account and signs you in.',
  confirmButton: 'Confirm and sign in',
  confirmWrong: 'This is not the password you chose. If you forgot it, ask for a new one.',
}

export const reset = {
  title: 'Forgot your password?',
  text: 'Enter your email address, and we will send you a link to choose a new password.',
  button: 'Send the link',
  sentTitle: 'Check your mail',
  sentText: 'If there is an account for {email}, a message with a link is on its way. The link is valid for one hour.',
  newTitle: 'Choose a new password',
  newPassword: 'New password',
  stoppedText:
    'The address of your account is {email}, and all its sessions have ended. Choose a new password now. Afterwards, look through the apps you allowed and the keys of your own apps.',
  newText: 'All sessions of {email} end, and the apps you allowed keep their access.',
  newButton: 'Change password',
}

export const fieldFaults = {
  name_missing: 'Enter your name.',
  name_odd: 'Use letters, digits and spaces, without line breaks or characters that are not seen.',
  name_long: 'Use at most 100 characters.',
  email_missing: 'Enter your email address.',
  email_wrong: 'This is not an email address. Check for a missing @ or a typo.',
  email_taken: 'Another account has this address.',
  email_same: 'This is already your address.',
  password_missing: 'Enter your password.',
  password_wrong: 'This is not your current password.',
  password_short: 'Use at least 10 characters.',
  password_long: 'Use at most 200 characters.',
  password_common: 'Many people use this password, so attackers try it first. Choose another one.',
  password_personal: 'Do not use your name or email address as your password.',
  password_pattern: 'This password is a repetition or a simple sequence. Choose one that is harder to guess.',
  picture_wrong: 'Enter an address that begins with https://, or leave it empty.',
  language_wrong: 'Choose one of the languages.',
}
