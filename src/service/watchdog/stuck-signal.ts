/** How a process ends that was stuck: by a signal that nothing else sends, so that its parent can tell. */
export const STUCK_SIGNAL = 'SIGVTALRM'
