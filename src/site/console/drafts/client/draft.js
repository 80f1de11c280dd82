// Saves the form a moment after somebody typed, so that nothing is lost. Without script, the button does it.
const AFTER_MS = 1500
const state = document.getElementById('draft-state')
const form = document.querySelector('form[action="/console/apps"]')
let timer
let saving = Promise.resolve()

const save = async () => {
  const body = new URLSearchParams(new FormData(form))
  const response = await fetch('/console/drafts', { method: 'POST', body }).catch(() => undefined)
  // Whoever is signed out by now is led elsewhere.
  const isSaved = response?.ok === true && new URL(response.url).pathname === '/console'
  state.textContent = isSaved ? state.dataset.saved : state.dataset.failed
}

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    saving = saving.then(save)
  }, AFTER_MS)
})
form.addEventListener('submit', () => clearTimeout(timer))
