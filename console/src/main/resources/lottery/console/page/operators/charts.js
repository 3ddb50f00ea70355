/** Charts as plain SVG. Each says in words what it shows, for those who do not see it. */

import { html, svg } from '../lit-html.js';
import { percent } from '../language.js';
import { t } from './texts.js';

const WIDTH = 300;
const HEIGHT = 22;
const RATIO_MAX = 3;
const RATIO_MIN = 1.1;
const LINE_HEIGHT = 44;

/** How far to the right the chart goes, as a multiple of what is promised. */
export function reachOf(rows) {
  const ratios = rows
    .filter((row) => row.promised > 0 && row.high !== undefined)
    .map((row) => row.high / row.promised);
  return Math.min(RATIO_MAX, Math.max(RATIO_MIN, ...ratios) * 1.03);
}

/** One share against what was promised, which is the line in the middle. All rows of a table have the same reach. */
export function shareBar({ promised, drawn, low, high, agrees }, reach) {
  if (drawn === undefined || !(promised > 0)) {
    return html`<span class="hint">–</span>`;
  }
  const x = (share) => Math.min(WIDTH - 3, Math.max(3, (share / promised / reach) * WIDTH)).toFixed(1);
  const text = t('shareBar', percent(promised), percent(drawn), percent(low), percent(high));
  return html`
    <svg class="share ${agrees ? 'agrees' : 'differs'}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${text}>
      <title>${text}</title>
      <rect class="track" x="0" y="9" width=${WIDTH} height="4" rx="2"></rect>
      <rect class="interval" x=${x(low)} y="6" width=${Math.max(2, x(high) - x(low)).toFixed(1)} height="10" rx="4"></rect>
      <line class="promised" x1=${x(promised)} x2=${x(promised)} y1="1" y2="21"></line>
      <rect class="drawn" x=${(x(drawn) - 2).toFixed(1)} y="4" width="4" height="14" rx="2"></rect>
    </svg>`;
}

/** How much of something is left. */
export const meter = (left, total) => {
  const text = t('leftOf', left, total);
  return html`
    <svg class="meter ${left === 0 ? 'empty' : left / total < 0.1 ? 'low' : ''}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=${text}>
      <title>${text}</title>
      <rect class="track" width="100" height="8" rx="4"></rect>
      <rect class="level" width=${((left / total) * 100).toFixed(2)} height="8" rx="4"></rect>
    </svg>`;
};

/** A line of values, the newest one to the right. */
export function sparkline(values, label) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, i) => `${(i * step).toFixed(1)},${(LINE_HEIGHT - 3 - (value / most) * (LINE_HEIGHT - 8)).toFixed(1)}`);
  return html`
    <svg class="sparkline" viewBox="0 0 ${WIDTH} ${LINE_HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
      ${values.length > 1
        ? svg`<polygon points="0,${LINE_HEIGHT} ${points.join(' ')} ${WIDTH},${LINE_HEIGHT}"></polygon><polyline points=${points.join(' ')}></polyline>`
        : ''}
    </svg>`;
}

export const progressBar = (done, of, label) => html`
  <progress max=${of} .value=${done} aria-label=${label}></progress>`;
