// The button below each password shows it; others fill in a demo account. Without script, passwords stay hidden.
for (const button of document.querySelectorAll('.show-password')) {
  const field = document.getElementById(button.getAttribute('aria-controls'))
  const show = button.textContent
  const turn = shown => {
    field.type = shown ? 'text' : 'password'
    button.textContent = shown ? button.dataset.hide : show
  }
  button.hidden = false
  button.addEventListener('click', () => turn(field.type === 'password'))
  // Sent as a password, so that browsers do not keep it as text.
  field.form.addEventListener('submit', () => turn(false))
}

for (const button of document.querySelectorAll('button[data-demo]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const form = document.querySelector('form[action="/sign-in"]')
    form.elements.email.value = button.dataset.demo
    form.elements.password.value = button.dataset.password
    form.querySelector('button:not([type])').focus()
  })
}
