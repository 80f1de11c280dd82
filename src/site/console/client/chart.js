// Charts → a slider below each, which goes through its points by keyboard, touch or pointer and says the values of one.
for (const chart of document.querySelectorAll('.chart[data-slider]')) {
  const slots = [...chart.querySelectorAll('.slot')]
  const tips = slots.map(slot => slot.querySelector('title').textContent)
  const slider = document.createElement('input')
  Object.assign(slider, {
    type: 'range',
    min: 0,
    max: slots.length - 1,
    value: slots.length - 1,
    className: 'chart-slider',
  })
  slider.setAttribute('aria-label', `${chart.dataset.slider}: ${chart.querySelector('strong').textContent}`)
  slider.dir = 'ltr'
  const tip = document.createElement('p')
  tip.className = 'chart-tip small'
  const show = place => {
    for (const [index, slot] of slots.entries()) slot.classList.toggle('current', index === place)
    tip.textContent = tips[place]
    slider.value = place
    slider.setAttribute('aria-valuetext', tips[place])
  }
  slider.addEventListener('input', () => show(Number(slider.value)))
  slots.forEach((slot, index) => {
    slot.addEventListener('pointerenter', () => show(index))
  })
  chart.querySelector('svg').after(slider, tip)
  show(slots.length - 1)
}
