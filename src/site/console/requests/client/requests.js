// Asks for this page again every two seconds, while it can be seen, and shows its list. Ends when the service says no.
const EVERY_MS = 2000
const LONGEST_MS = 30_000
const state = document.getElementById('requests-state')
let failures = 0

const say = name => {
  const text = state.dataset[name]
  if (state.textContent !== text) state.textContent = text
}

/** What somebody reads or has in focus is not taken away. */
const isInUse = list => list.contains(document.activeElement) || !getSelection().isCollapsed

const show = text => {
  const shown = document.getElementById('requests')
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('requests')
  if (fresh === null) return false
  if (!isInUse(shown)) {
    shown.replaceWith(document.adoptNode(fresh))
    document.dispatchEvent(new Event('times'))
  }
  return true
}

const again = () => setTimeout(ask, Math.min(EVERY_MS * 2 ** failures, LONGEST_MS))

const ask = async () => {
  if (document.hidden) return again()
  try {
    const response = await fetch(location.href, { redirect: 'manual', headers: { accept: 'text/html' } })
    const ended = response.type === 'opaqueredirect' || response.status === 403 || response.status === 404
    if (ended) {
      document.getElementById('requests').replaceChildren()
      return say('ended')
    }
    failures = response.ok && show(await response.text()) ? 0 : failures + 1
  } catch {
    failures += 1
  }
  say(failures === 0 ? 'live' : 'away')
  again()
}

say('live')
again()
