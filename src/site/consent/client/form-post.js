// Sends the form that takes the response to the app. A field named "submit" would hide the form's own method.
const form = document.querySelector('form[data-form-post]')
if (form !== null) HTMLFormElement.prototype.submit.call(form)
