// Moments in UTC → the time of the reader's own clock, with how long ago it was; the moment in UTC stays as a hint.
const language = document.documentElement.lang
const local = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const DAY_S = 86_400
const units = [
  ['second', 60, 1],
  ['minute', 3600, 60],
  ['hour', DAY_S, 3600],
  ['day', 14 * DAY_S, DAY_S],
]

const relative = moment => {
  const seconds = (moment - Date.now()) / 1000
  const unit = units.find(([, below]) => Math.abs(seconds) < below)
  return unit === undefined ? undefined : ago.format(Math.round(seconds / unit[2]), unit[0])
}

const showTimes = () => {
  for (const time of document.querySelectorAll('time[data-moment]')) {
    const moment = new Date(time.dateTime)
    time.title ||= time.textContent
    const away = relative(moment)
    time.textContent = away === undefined ? local.format(moment) : `${local.format(moment)} (${away})`
  }
}

showTimes()
document.addEventListener('times', showTimes)
