// In the browser: suggestions while somebody types, and a button that searches where the browser is. The place is rounded to some hundred
// metres before it leaves the device.

const form = document.querySelector('form.finder')
const button = document.getElementById('near-me')
const status = document.getElementById('near-me-status')
const box = document.getElementById('find-q')
const suggestions = document.getElementById('find-suggestions')

const search = ({ coords }) => {
  const wanted = new URLSearchParams({ lat: coords.latitude.toFixed(3), lon: coords.longitude.toFixed(3) })
  for (const name of ['q', 'jumuah', 'lang']) {
    const value = new FormData(form).get(name)
    if (value) wanted.set(name, String(value))
  }
  location.assign(`/find?${wanted}`)
}

if (form && button && status && 'geolocation' in navigator) {
  button.hidden = false
  button.addEventListener('click', () => {
    status.textContent = form.dataset.locating
    navigator.geolocation.getCurrentPosition(
      search,
      () => {
        status.textContent = form.dataset.failed
      },
      { timeout: 20_000, maximumAge: 300_000 },
    )
  })
}

const PAUSE_MS = 200
const FEWEST_LETTERS = 3

let waiting
let asked = new AbortController()

/** Where the results that are shown are near to. */
const placeShown = () => [...new URLSearchParams(location.search)].filter(([name]) => name === 'lat' || name === 'lon')

const show = values =>
  suggestions.replaceChildren(...values.map(value => Object.assign(document.createElement('option'), { value })))

const suggest = async () => {
  asked = new AbortController()
  const wanted = new URLSearchParams([
    ['q', box.value.trim()],
    ['lang', document.documentElement.lang],
    ...placeShown(),
  ])
  try {
    const response = await fetch(`/find/suggestions?${wanted}`, { signal: asked.signal, credentials: 'omit' })
    if (response.ok) show(await response.json())
  } catch {
    // Offline, or more was typed meanwhile: the form works without.
  }
}

const isSuggested = value => [...suggestions.children].some(option => option.value === value)

if (box && suggestions)
  box.addEventListener('input', () => {
    clearTimeout(waiting)
    asked.abort()
    if (isSuggested(box.value)) return
    if ([...box.value.trim()].length < FEWEST_LETTERS) show([])
    else waiting = setTimeout(suggest, PAUSE_MS)
  })
