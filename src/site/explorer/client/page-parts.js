// What all scripts of the explorer use: the page's settings and words, its elements, and new ones.

export const element = id => document.getElementById(id)

export const settings = JSON.parse(element('settings').textContent)

/** In the language of the page. */
export const { words } = settings

export const fillWords = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))

/** Latin digits in every language, as everywhere else on the pages. */
export const numberWords = (value, options = {}) =>
  new Intl.NumberFormat(settings.language, { numberingSystem: 'latn', ...options }).format(value)

export const countWords = (forms, count) => {
  const form = new Intl.PluralRules(settings.language).select(count)
  return fillWords(forms[form] ?? forms.other, { count: numberWords(count) })
}

/** Properties are set, names with a hyphen as attributes; children are nodes or text, and never markup. */
export const make = (name, properties = {}, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-')) made.setAttribute(key, value)
    else made[key] = value
  }
  made.append(...children)
  return made
}

/** Names and values stand in their own direction. */
export const isolated = text => make('bdi', {}, text)

export const tell = text => {
  element('notice').textContent = text
}
