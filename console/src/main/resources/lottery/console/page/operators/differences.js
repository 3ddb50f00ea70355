/** Compares two documents of the API, field by field. */

import { html } from '../lit-html.js';
import { t, word } from './texts.js';

const KEYS = ['awardId', 'sku', 'node', 'from'];

const nameOf = (item, index) => {
  const key = KEYS.find((each) => item !== null && typeof item === 'object' && each in item);
  if (!key) {
    return String(index + 1);
  }
  if (key === 'awardId') {
    return t('award', item.awardId);
  }
  return 'to' in item ? item.from : `${word(key)} ${item[key]}`;
};

/** The names of items, each another one: several lines of a tree come from one node. */
const namesOf = (items) => {
  const names = items.map(nameOf);
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((each) => each === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
};

/** All values of a document, by the names of where they stand. */
function flat(value, place = [], into = new Map()) {
  if (Array.isArray(value)) {
    const names = namesOf(value);
    value.forEach((item, index) => flat(item, [...place, names[index]], into));
  } else if (value !== null && typeof value === 'object') {
    Object.entries(value).forEach(([key, item]) => flat(item, [...place, word(key)], into));
  } else if (value !== undefined) {
    into.set(place.join(' · '), String(value));
  }
  return into;
}

/** Returns [place, before, after] of each value that differs; a value that is not there is null. */
export function differences(before, after) {
  const old = flat(before);
  const now = flat(after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((place) => [place, old.get(place) ?? null, now.get(place) ?? null])
    .filter(([, one, other]) => one !== other);
}

export const differencesView = (before, after) => {
  const all = differences(before, after);
  if (all.length === 0) {
    return html`<p class="hint">${t('noDifference')}</p>`;
  }
  return html`
    <div class="scroll"><table class="differences">
      <thead><tr><th scope="col">${t('place')}</th><th scope="col">${t('before')}</th><th scope="col">${t('after')}</th></tr></thead>
      <tbody>
        ${all.map(([place, one, other]) => html`
          <tr><th scope="row">${place}</th>
            <td>${one === null ? html`<span class="hint">–</span>` : html`<del>${one}</del>`}</td>
            <td>${other === null ? html`<span class="hint">–</span>` : html`<ins>${other}</ins>`}</td></tr>`)}
      </tbody>
    </table></div>`;
};
