// A button below each password that shows it, and buttons that fill in a demo account. Without script, passwords stay hidden.
const { show, hide } = document.currentScript.dataset

for (const field of document.querySelectorAll('input[type="password"]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'link-button show-password'
  button.textContent = show
  button.setAttribute('aria-controls', field.id)
  const turn = shown => {
    field.type = shown ? 'text' : 'password'
    button.textContent = shown ? hide : show
  }
  button.addEventListener('click', () => turn(field.type === 'password'))
  // Sent as a password, so that browsers do not keep it as text.
  field.form.addEventListener('submit', () => turn(false))
  field.after(button)
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
