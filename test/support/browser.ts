// A real Chromium; tests are skipped, with the reason, only where none is installed.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { enterFaults } from './enter-key.ts'

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

export const browserPath = places.find(path => path !== undefined && path !== '' && existsSync(path))

/** For the options of a test: `test('…', { skip: noBrowser }, …)`. */
export const noBrowser: string | false =
  browserPath === undefined ? 'There is no Chromium on this machine; set CHROMIUM_PATH.' : false

const isLong = process.env.MINARET_LONG !== undefined

export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The files that share a process share its browser, which ends with the process. Each page has a context of its own. */
let launched: Promise<Browser> | undefined

/** For the top of a test file: `const browser = useBrowser()`, then `browser()` inside tests. */
export const useBrowser = (): (() => Browser) => {
  let running: Browser | undefined
  before(async () => {
    if (browserPath === undefined) return
    const executablePath = process.env.CHROMIUM_SHELL_PATH ?? browserPath
    launched ??= chromium.launch({ executablePath, args: launchArguments, timeout: 180_000 })
    running = await launched
  })
  return () => {
    if (running === undefined) throw new Error('The browser is not running yet.')
    return running
  }
}

/** A page in its own context, which is closed when `work` is done. */
export const inPage = async <T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> => {
  const context = await browser.newContext(options)
  // Two cores, three test files at once: a click may be slow.
  context.setDefaultTimeout(90_000)
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Half the size of what the package would send, which takes longer than most checks. */
const axeSource = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Those of axe that we read. */
interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** Of colours, for instance, after the scheme has changed. */
const transitionsEnd =
  'Promise.allSettled(document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished))'

/** What passes is neither described nor sent here. */
const faultsFound = async (page: Page, rules: { readonly runOnly?: readonly string[] } = {}): Promise<string[]> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource)
  await page.evaluate(transitionsEnd)
  // Nothing but a rule about sound that plays by itself needs what axe would load first: every stylesheet, and media.
  const preload = await page.evaluate("document.querySelector('audio, video') !== null")
  const options = JSON.stringify({ resultTypes: ['violations'], preload, ...rules })
  const violations: Violation[] = await page.evaluate(`axe.run(document, ${options}).then(result => result.violations)`)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** axe's violations on the page, and forms in which Enter does the wrong thing, one line each; empty when there are none. */
export const accessibilityFaults = async (page: Page): Promise<string[]> => [
  ...(await faultsFound(page)),
  ...(await enterFaults(page)),
]

/** Only what depends on colours: the other rules were checked in the light look. In a long run, all rules. */
export const contrastFaults = (page: Page): Promise<string[]> =>
  faultsFound(page, isLong ? {} : { runOnly: ['color-contrast'] })

/** Appearances to test on every page: light, dark, on a phone, in Arabic. */
export const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark', locale: 'en' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', locale: 'en', hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'ar' },
  'arabic-phone': {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    locale: 'ar',
    hasTouch: true,
    isMobile: true,
  },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof looks

/**
 * Both languages; `faultsInLook` turns an open page dark, and to the other width. A long run opens pages in all looks, whose other
 * three combine these.
 */
export const openedLooks = (Object.keys(looks) as Look[]).filter(
  look => isLong || look === 'light' || look === 'arabic-phone',
)

/** The width that the opened look leaves out in its language. */
const otherWidth: Readonly<Partial<Record<Look, Look>>> = { light: 'phone', 'arabic-phone': 'arabic' }

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

export const scrollsSideways = async (page: Page): Promise<boolean> => (await overflowOf(page)) > 1

/** The stylesheets follow the colour scheme, so the page need not be loaded again. */
const faultsInTheDark = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const faults = await contrastFaults(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults.map(fault => `dark: ${fault}`)
}

/** What is wrong with the page in this look, and whether it is wider than the screen, there and in the other width. */
export const faultsInLook = async (page: Page, look: Look): Promise<string[]> => {
  const faults = look === 'dark' ? await contrastFaults(page) : await accessibilityFaults(page)
  if (look === 'light' && !isLong) faults.push(...(await faultsInTheDark(page)))
  for (const size of [look, otherWidth[look] ?? look]) {
    await page.setViewportSize(looks[size].viewport)
    const overflow = await overflowOf(page)
    if (overflow > 0) faults.push(`${overflow} pixels wider than the screen (${size})`)
  }
  await page.setViewportSize(looks[look].viewport)
  return faults
}

/** Nothing compares screenshots, so they are taken only on request: `SCREENSHOTS=on`, into a folder that git ignores. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SCREENSHOTS !== 'on') return
  const take = () => page.screenshot({ path: `screenshots/${name}.png`, fullPage: true })
  await take().catch(error => {
    if (!/Unable to capture screenshot/.test(String(error))) throw error
    return take()
  })
}
