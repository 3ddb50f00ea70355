/** What earns chances in an activity: the rules for what players do, and the calendar of sign-ins. */

import { html, nothing } from './lit-html.js';
import { monthName, weekdays } from './language.js';
import { t } from './texts.js';

const SIGN = 'sign';

/** Returns what the open rules give for this activity or in credits, [{behaviour, streak, limit, gifts}]. */
export function waysToEarn(rules, activity) {
  return rules
    .filter((rule) => rule.state === 'OPEN')
    .map(({ behaviour, streak, limit, rebates }) => ({
      behaviour, streak, limit, gifts: rebates.map((rebate) => giftOf(rebate, activity)).filter((gift) => gift !== null),
    }))
    .filter(({ gifts }) => gifts.length > 0);
}

/** Returns {credits} or {title, chances}; null if another activity has the SKU. */
function giftOf({ kind, activityId, sku, amount }, activity) {
  if (kind === 'CREDIT') {
    return { credits: amount };
  }
  const offer = activityId === activity.activityId ? activity.skus?.find((each) => each.sku === sku) : undefined;
  return offer === undefined ? null : { title: offer.title ?? (offer.total > 0 ? undefined : offer.entitlement), chances: offer.total };
}

export const hasSignIn = (ways) => ways.some(({ behaviour }) => behaviour === SIGN);

/** Returns the weeks of a month from Monday on: days of {day, isSigned, isToday}, and null beside the month. */
export function weeksOf({ month, days, today }) {
  const [year, number] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const places = Array(before).fill(null);
  for (let day = 1; day <= length; day++) {
    const isToday = today === `${month}-${String(day).padStart(2, '0')}`;
    places.push({ day, isSigned: days.includes(day), isToday });
  }
  const weeks = [];
  while (places.length > 0) {
    weeks.push(Array.from({ length: 7 }, () => places.shift() ?? null));
  }
  return weeks;
}

export const isSignedToday = ({ days, today }) => days.includes(Number(today.slice(-2)));

/* The views */

/**
 * Shows what earns chances, and the sign-ins of a player.
 *
 * @param act what the buttons do: {signIn}
 */
export const earningView = ({ earning, calendar, phase }, act) => (earning.length === 0 ? nothing : html`
  <section class="card" aria-labelledby="earning">
    <h2 id="earning">${t('earning')}</h2>
    ${calendar ? calendarView(calendar, phase, act) : nothing}
    <ul class="list earning">
      ${earning.map((way) => html`
        <li><span class="grow">${behaviourOf(way)}${way.limit ? html` <small>${limitOf(way.limit)}</small>` : nothing}</span>
          <strong>${way.gifts.map(giftText).join(' + ')}</strong></li>`)}
    </ul>
  </section>`);

const BEHAVIOURS = { sign: 'behaviourSign', share: 'behaviourShare', pay: 'behaviourPay' };

function behaviourOf({ behaviour, streak }) {
  return streak > 1 ? t('streakOf', streak) : Object.hasOwn(BEHAVIOURS, behaviour) ? t(BEHAVIOURS[behaviour]) : behaviour;
}

const limitOf = ({ count, period }) => t({ DAY: 'limitDay', MONTH: 'limitMonth', EVER: 'limitEver' }[period], count);

const giftText = ({ credits, title, chances }) =>
  credits === undefined ? title ?? t('chances', chances) : t('creditsGiven', Number(credits));

function calendarView(calendar, phase, act) {
  const isSigned = isSignedToday(calendar);
  return html`
    <div class="sign-in">
      <p aria-live="polite">${t('streak', calendar.streak)}</p>
      <button class="primary" ?disabled=${isSigned || phase !== ''} @click=${act.signIn}>
        ${t(isSigned ? 'signedIn' : 'signIn')}</button>
    </div>
    <table class="calendar">
      <caption>${monthName(calendar.month)}</caption>
      <thead><tr>${weekdays().map(({ short, long }) => html`<th scope="col"><abbr title=${long}>${short}</abbr></th>`)}</tr></thead>
      <tbody>
        ${weeksOf(calendar).map((week) => html`<tr>${week.map((place) => (place === null ? html`<td></td>` : dayView(place)))}</tr>`)}
      </tbody>
    </table>`;
}

const dayView = ({ day: number, isSigned, isToday }) => html`
  <td class="${isSigned ? 'signed' : ''} ${isToday ? 'today' : ''}" aria-current=${isToday ? 'date' : nothing}>
    ${number}${isSigned ? html`<span class="unseen">${t('signedDay')}</span>` : nothing}</td>`;
