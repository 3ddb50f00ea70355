/** What earns chances in an activity: the rules for what players do, and the calendar of sign-ins. */

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
  return offer === undefined ? null : { title: offer.title, chances: offer.total };
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
