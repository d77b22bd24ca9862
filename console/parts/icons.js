/** The few signs of the page, drawn in the colour of the text beside them. */
import { h } from '../core/dom.js';

const paths = {
  now: 'M3 12h4l3-8 4 16 3-8h4',
  documents: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  scopes: 'M4 19V5M4 19h16M8 15l4-5 3 3 5-7',
  contradictions: 'M12 4v16M5 8h14M5 8l-3 6h6zM19 8l-3 6h6zM8 20h8',
  live: 'M5 6h14M5 12h14M5 18h8',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 5l12 7-12 7z',
  stop: 'M6 6h12v12H6z',
  restart: 'M4 13a8 8 0 1 0 2.3-6.3M4 5v6h6',
  close: 'M6 6l12 12M18 6L6 18',
  retry: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  next: 'M9 6l6 6-6 6',
  alert: 'M12 4 3 20h18zM12 10v4M12 17v.5',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
};

export const icon = (name) =>
  h('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('path', { d: paths[name] }));
