// Inside the machine, a person with a browser: `choose LINK PASSWORD` or `sign-in EMAIL PASSWORD`. Prints what they saw last.
import { createPerson } from '../support/person.ts'

const BASE = 'https://id.example.org'
const [what, first = '', password = ''] = process.argv.slice(2)
const person = createPerson(BASE)

const choose = async () => {
  const link = first.replace(BASE, '')
  // As a browser would that sent the address of the page, which the pages ask it not to.
  await person.get('/healthz', { referer: first })
  return person.submit(link, '/reset-password', { password })
}

const seen = what === 'choose' ? await choose() : await person.signIn(first, password)
const account = await person.get('/account')
console.log(
  JSON.stringify({ status: seen.status, location: seen.location, account: account.status, to: account.location }),
)
