/** Fields of forms, with what the server has found at each of them. */

import { html, nothing } from '../lit-html.js';
import { show } from './state.js';
import { t } from './texts.js';

/** What is wrong with a form: lists of {text, isWarning} by JSON pointer. */
export function problemsOf(findings) {
  const problems = new Map();
  for (const { pointer, message, severity } of findings) {
    const known = problems.get(pointer) ?? [];
    problems.set(pointer, [...known, { text: message, isWarning: severity === 'WARNS' }]);
  }
  return problems;
}

const idOf = (pointer) => `field${pointer.replaceAll('/', '-')}`;

const problemsView = (pointer, found) => html`
  <span class="problems" id="${idOf(pointer)}-problems">
    ${found.map((each) => html`<span class=${each.isWarning ? 'warns' : 'refuses'}>${each.text}</span>`)}
  </span>`;

function changed(model, key) {
  return (event) => {
    model[key] = event.target.type === 'checkbox' ? event.target.checked : event.target.value;
    show();
  };
}

/** A field with its label. What is typed goes into the model at once. */
export function field(form, model, key, label, more = {}) {
  const { base = '', type = 'text', options = null, isRequired = false, hint = '', wide = false, ...attributes } = more;
  const pointer = `${base}/${attributes.at ?? key}`;
  const found = form.problems?.get(pointer) ?? [];
  const described = found.length > 0 ? `${idOf(pointer)}-problems` : nothing;
  const invalid = found.some((each) => !each.isWarning) ? 'true' : nothing;
  const control = options
    ? html`<select name=${key} aria-describedby=${described} aria-invalid=${invalid} @change=${changed(model, key)}>
        ${options.map(([value, text]) => html`<option value=${value} ?selected=${String(model[key] ?? '') === String(value)}>${text}</option>`)}
      </select>`
    : type === 'textarea'
      ? html`<textarea name=${key} rows=${attributes.rows ?? 3} maxlength=${attributes.maxlength ?? nothing} ?required=${isRequired}
          aria-describedby=${described} aria-invalid=${invalid} .value=${model[key] ?? ''} @input=${changed(model, key)}></textarea>`
      : html`<input name=${key} type=${type} ?required=${isRequired} maxlength=${attributes.maxlength ?? nothing}
          min=${attributes.min ?? nothing} max=${attributes.max ?? nothing} step=${attributes.step ?? nothing}
          inputmode=${attributes.inputmode ?? nothing} pattern=${attributes.pattern ?? nothing} ?disabled=${attributes.isFixed}
          aria-describedby=${described} aria-invalid=${invalid} .value=${String(model[key] ?? '')} @input=${changed(model, key)}>`;
  return html`
    <label class="${wide ? 'wide' : ''} ${invalid === 'true' ? 'wrong' : ''}"><span>${label}</span>${control}
      ${hint ? html`<small>${hint}</small>` : nothing}${found.length > 0 ? problemsView(pointer, found) : nothing}</label>`;
}

/** A field of a whole number; empty: none. */
export const whole = (form, model, key, label, more = {}) =>
  field(form, model, key, label, { type: 'number', min: 1, step: 1, ...more });

export const check = (model, key, label) => html`
  <label class="check-box"><input type="checkbox" name=${key} .checked=${model[key] === true} @change=${changed(model, key)}>
    <span>${label}</span></label>`;

/** All that was found, for those who do not see the fields. */
export function summary(form) {
  const all = [...(form.problems ?? new Map()).entries()].flatMap(([pointer, found]) => found.map((each) => [pointer, each]));
  if (all.length === 0) {
    return nothing;
  }
  return html`
    <div class="message summary" role="alert" tabindex="-1">
      <p>${t('findings', all.length)}</p>
      <ul>${all.map(([pointer, each]) => html`<li class=${each.isWarning ? 'warns' : 'refuses'}><code>${pointer}</code> ${each.text}</li>`)}</ul>
    </div>`;
}

/** Brings what was found to the eyes and ears of whoever has sent a form. */
export const revealProblems = () => requestAnimationFrame(() => document.querySelector('.summary')?.focus());

const isEmpty = (value) => value === undefined || value === null || value === '';

export const numberOr = (value) => (isEmpty(value) ? undefined : Number(value));

export const textOr = (value) => (isEmpty(value) || String(value).trim() === '' ? undefined : String(value));

/** The time of an instant on the clock of a zone, as a field for dates and times shows it. */
export function localTime(instant, zone) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
    fractionalSecondDigits: 3, hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const of = (type) => parts.find((part) => part.type === type).value;
  const seconds = `:${of('second')}.${of('fractionalSecond')}`.replace(/(\.000|:00\.000)$/, '');
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}${seconds}`;
}

/** The instant at which the clock of a zone shows this; where it shows it twice, one of both. */
export function instantOf(local, zone) {
  const wanted = Date.parse(`${local}Z`);
  let instant = wanted;
  for (let i = 0; i < 2; i++) {
    instant += wanted - Date.parse(`${localTime(instant, zone)}Z`);
  }
  return new Date(instant).toISOString();
}

export const isZone = (zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
};
