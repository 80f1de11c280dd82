// A URL → whether our pages may link to it or show a picture from it: https, and nothing that misleads.

const LONGEST = 2000

/** RFC 3986, section 2: anything else would be read differently by different programs, or change how the text looks. */
const uriCharacters = /^[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+$/

/** The authority, up to the first "/", "?" or "#", has no user information: `https://accounts.example@evil.test` misleads. */
const httpsWithoutUser = /^https:\/\/[^/?#@]+(?:[/?#]|$)/i

/**
 * The one rule for every URL that people enter and others click on: home pages, logos, pictures, websites. It applies in
 * development too; only redirect URIs may be on loopback there. The database has the same rule (`is_web_address`).
 */
export const isWebAddress = (text: string): boolean =>
  text.length <= LONGEST && uriCharacters.test(text) && httpsWithoutUser.test(text) && URL.canParse(text)
