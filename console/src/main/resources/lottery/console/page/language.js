/** The language of whoever reads a page, and how it writes numbers and times. */

const LANGUAGES = ['en', 'zh'];
const KEPT = 'lottery.language';

const wanted = localStorage.getItem(KEPT) ?? navigator.language.toLowerCase().slice(0, 2);

let current = LANGUAGES.includes(wanted) ? wanted : 'en';

export const language = () => current;

/** The language as HTTP and HTML name it. */
export const locale = () => (current === 'zh' ? 'zh-CN' : 'en');

export function switchLanguage() {
  current = current === 'zh' ? 'en' : 'zh';
  localStorage.setItem(KEPT, current);
}

/** Returns the function that finds texts in these catalogues. A text that depends on a number is a function of it. */
export const textsOf = (catalogues) => (key, ...values) => {
  const text = catalogues[current][key];
  const chosen = typeof text === 'function' ? text(...values) : text;
  return chosen.replace(/\{(\d)}/g, (_, number) => String(values[number]));
};

function isKnown(timeZone) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** What the browser calls a zone. The lottery also accepts Z, which is UTC, and UTC+8 or +8, which are +08:00. */
export function browserZone(zone) {
  if (isKnown(zone)) {
    return zone;
  }
  const offset = /^(?:UTC|GMT|UT)?([+-])(\d\d?)(?::?(\d\d))?$/.exec(zone);
  return offset ? `${offset[1]}${offset[2].padStart(2, '0')}:${offset[3] ?? '00'}` : zone.replace(/^(Z|UT)$/, 'UTC');
}

export const isZone = (zone) => isKnown(browserZone(zone));

/** A time on the clock of a zone, or of the reader. If the browser does not know the zone, it is the time in UTC, as sent. */
export const time = (instant, zone) =>
  isZone(zone)
    ? new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: browserZone(zone) }).format(new Date(instant))
    : instant;

export const day = (instant) => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(instant));

/** The name of a month such as 2026-11. */
export const monthName = (month) =>
  new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));

/** The names of the days of a week, from Monday on. */
export const weekdays = () =>
  Array.from({ length: 7 }, (_, day) => {
    const date = new Date(Date.UTC(2024, 0, 1 + day));
    const name = (weekday) => new Intl.DateTimeFormat(locale(), { weekday, timeZone: 'UTC' }).format(date);
    return { short: name('narrow'), long: name('long') };
  });

/** A share such as 0.0000001, without losing its digits. */
export const percent = (share) =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumSignificantDigits: 4 }).format(Number(share));

/** An amount of money: {amount, currency}. */
export const money = ({ amount, currency }) =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(amount);

export const number = (value) => new Intl.NumberFormat(locale()).format(value);
