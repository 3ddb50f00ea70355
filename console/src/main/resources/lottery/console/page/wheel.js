/** Draws the wheel of an activity, and turns it to what the server has drawn. */

import { html, svg } from './lit-html.js';
import { t } from './texts.js';

const RADIUS = 100;
const ICON_AT = -77;
const TITLE_AT = -56;
const LINE_HEIGHT = 8;
const TURNS = 6;
const TURN_MILLIS = 4_600;
const COLOURS = 6;
const FIELDS_MIN = 6;
const TITLED_FIELDS_MAX = 12;
const BULBS = 24;
/** How much room a character takes: Chinese ones are wide. */
const WIDE = 2;
const MARGIN = 0.3;

const ICONS = {
  TEXT: 'M-7-4.5H7V-1.6A1.7 1.7 0 0 0 7 1.6V4.5H-7V1.6A1.7 1.7 0 0 0-7-1.6ZM2.2-4.5V4.5',
  CODE: 'M-3.5 0A2.6 2.6 0 1 1-3.5.1M-1 0H7M4.2 0V2.6M6.6 0V3.2',
  COUPON: 'M-4.5 5L4.5-5M-4.6-3.2A1.5 1.5 0 1 1-4.6-3.1M2 3.2A1.5 1.5 0 1 1 2 3.3',
  PHYSICAL: 'M-6-1.5H6V6H-6ZM-7-4H7V-1.5H-7ZM0-4V6M0-4C-5-4-4-8.5 0-4C4-8.5 5-4 0-4',
  CREDIT: 'M-6 0A6 6 0 1 1-6 .1M0-3.4L1-1.1L3.4-.9L1.6.8L2.1 3.2L0 1.9L-2.1 3.2L-1.6.8L-3.4-.9L-1-1.1Z',
  ENTITLEMENT: 'M0-3.5C-2-5-5-5-7-4V5C-5 4 -2 4 0 5.5C2 4 5 4 7 5V-4C5-5 2-5 0-3.5V5.5',
  OTHER: 'M0-6.5L1.6-1.6L6.5 0L1.6 1.6L0 6.5L-1.6 1.6L-6.5 0L-1.6-1.6Z',
  NONE: 'M-4.5-1A4.5 4.5 0 1 1-3 3.2M-4.5-4.6V-1H-1',
  LOCK: 'M-4.5-1H4.5V6H-4.5ZM-2.8-1V-3.4A2.8 2.8 0 0 1 2.8-3.4V-1M0 1.6V3.4',
};

/** The icon of an award, 20 units wide. */
export const icon = (name) =>
  html`<svg class="icon" viewBox="-10 -10 20 20" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/** The angle at which the wheel stands. */
let angle = 0;

function point(degrees, radius) {
  const radians = ((degrees - 90) * Math.PI) / 180;
  return `${(radius * Math.cos(radians)).toFixed(2)} ${(radius * Math.sin(radians)).toFixed(2)}`;
}

/** The fields of the wheel: each award, and one for no award where that can happen. A small wheel has all of them twice. */
export function fieldsOf(awards, hasNothing) {
  const fields = [...awards].sort((one, other) => one.sort - other.sort);
  if (hasNothing || fields.length === 0) {
    fields.push({ awardId: null, title: t('noAward'), type: 'NONE', unlocked: true });
  }
  return fields.length * 2 <= FIELDS_MIN ? [...fields, ...fields] : fields;
}

const isUnavailable = (field) => field.soldOut || field.held || field.reached || field.unlocked === false;

const widthOf = (text) => [...text].reduce((sum, each) => sum + (each > '\u2E7F' ? WIDE : 1), 0);

function cut(text, widthMax) {
  if (widthOf(text) <= widthMax) {
    return text;
  }
  let short = '';
  for (const each of text) {
    if (widthOf(short + each) > widthMax - 1) {
      break;
    }
    short += each;
  }
  return `${short.trimEnd()}…`;
}

/** Breaks a title into two lines at most: between words, or anywhere in Chinese. */
function linesOf(title, widthMax) {
  if (widthOf(title) <= widthMax) {
    return [title];
  }
  const parts = title.match(/[^\s\u2E80-\uFFFF]+|[\u2E80-\uFFFF]/gu) ?? [title];
  let first = '';
  let rest = title;
  for (const part of parts) {
    const start = rest.indexOf(part) + part.length;
    const longer = first + rest.slice(0, start);
    if (first !== '' && widthOf(longer) > widthMax) {
      break;
    }
    first = longer;
    rest = rest.slice(start);
  }
  const second = rest.trim();
  return second === '' ? [cut(first, widthMax)] : [cut(first, widthMax), cut(second, widthMax - 2)];
}

function slice(field, at, count) {
  const width = 360 / count;
  const large = width > 180 ? 1 : 0;
  const from = at * width - width / 2;
  const room = Math.round(((width * Math.PI * -TITLE_AT) / 180) * (1 - MARGIN / 2) / 4);
  const lines = count <= TITLED_FIELDS_MAX ? linesOf(field.title, Math.min(room, 14)) : [];
  // The last field has a colour of its own where it would meet its like.
  const colour = count % COLOURS === 1 && at === count - 1 ? 2 : at % COLOURS;
  const look = field.awardId === null ? 'none' : String(colour);
  return svg`
    <g class="slice slice-${look} ${isUnavailable(field) ? 'dim' : ''}">
      <path class="ground" d="M0 0L${point(from, RADIUS)}A${RADIUS} ${RADIUS} 0 ${large} 1 ${point(from + width, RADIUS)}Z"></path>
      <g transform="rotate(${at * width})">
        <path class="sign" transform="translate(0 ${ICON_AT}) scale(1.25)"
          d=${ICONS[field.unlocked === false ? 'LOCK' : field.type]}></path>
        ${lines.map((line, i) => svg`<text y=${TITLE_AT + i * LINE_HEIGHT}>${line}</text>`)}
      </g>
    </g>`;
}

const bulbs = Array.from({ length: BULBS }, (_, i) => {
  const [x, y] = point((i * 360) / BULBS, 106).split(' ');
  return svg`<circle class="bulb" cx=${x} cy=${y} r="1.9"></circle>`;
});

export function wheel(fields, isBusy) {
  return html`
    <svg class="wheel ${isBusy ? 'busy' : ''}" viewBox="-116 -122 232 238" role="img" aria-label=${t('wheel', fields.length)}>
      <circle class="rim" r="112"></circle>
      ${bulbs}
      <g class="turning">${fields.map((field, at) => slice(field, at, fields.length))}</g>
      <circle class="hub" r="15"></circle>
      <path class="star" d="M0-8L2.2-2.6L8-2.2L3.6 1.6L5 7.2L0 4.2L-5 7.2L-3.6 1.6L-8-2.2L-2.2-2.6Z"></path>
      <path class="pointer" d="M-11-120H11L0-94Z"></path>
    </svg>`;
}

/** Turns the wheel to a field, and returns when it stands. */
export async function turnTo(root, fields, awardId) {
  const at = Math.max(0, fields.findIndex((field) => field.awardId === awardId));
  const width = 360 / fields.length;
  // It does not always stand in the middle of the field. That says nothing: the field was known before.
  const aside = (Math.random() - 0.5) * width * 0.6;
  const place = (((aside - at * width) % 360) + 360) % 360;
  const before = ((angle % 360) + 360) % 360;
  angle += TURNS * 360 + ((place - before + 360) % 360);
  const turning = root.querySelector('.turning');
  const isMoving = !isStill();
  turning.classList.toggle('moving', isMoving);
  turning.style.transform = `rotate(${angle}deg)`;
  if (isMoving) {
    await pause(TURN_MILLIS);
    turning.classList.remove('moving');
  }
}

