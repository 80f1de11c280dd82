// In the browser: a button that searches where the browser is. The place is rounded to some hundred metres before it leaves the device.

const form = document.querySelector('form.finder')
const button = document.getElementById('near-me')
const status = document.getElementById('near-me-status')

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
