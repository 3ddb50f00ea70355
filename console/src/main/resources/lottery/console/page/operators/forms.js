/** Fields of forms, with what the server has found at each of them. */

import { html, nothing } from '../lit-html.js';
import { Refusal } from '../api.js';
import { browserZone } from '../language.js';
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

export const idOf = (pointer) => `field${pointer.replaceAll('/', '-')}`;

/** What was found at a place, or at a part of it that has no field of its own. */
const foundAt = (form, pointer) =>
  [...(form.problems ?? [])].filter(([place]) => place === pointer || place.startsWith(`${pointer}/`)).flatMap(([, found]) => found);

const problemsView = (pointer, found) => html`
  <span class="problems" id="${idOf(pointer)}-problems">
    ${found.map((each) => html`<span class=${each.isWarning ? 'warns' : 'refuses'}>${each.text}</span>`)}
  </span>`;

/** What was found at a place that is no field. */
export function problemsAt(form, pointer) {
  const found = form.problems?.get(pointer) ?? [];
  return found.length > 0 ? problemsView(pointer, found) : nothing;
}

function changed(model, key, then) {
  return (event) => {
    model[key] = event.target.type === 'checkbox' ? event.target.checked : event.target.value;
    then?.();
    show();
  };
}

/** A field with its label. What is typed goes into the model at once. */
export function field(form, model, key, label, more = {}) {
  const { base = '', type = 'text', options = null, isRequired = false, hint = '', wide = false, then, ...attributes } = more;
  const pointer = `${base}/${attributes.at ?? key}`;
  const found = foundAt(form, pointer);
  const described = found.length > 0 ? `${idOf(pointer)}-problems` : nothing;
  const invalid = found.some((each) => !each.isWarning) ? 'true' : nothing;
  const control = options
    ? html`<select id=${idOf(pointer)} name=${key} ?required=${isRequired} aria-describedby=${described} aria-invalid=${invalid}
        @change=${changed(model, key, then)}>
        ${options.map(([value, text]) => html`<option value=${value} .selected=${String(model[key] ?? '') === String(value)}>${text}</option>`)}
      </select>`
    : type === 'textarea'
      ? html`<textarea id=${idOf(pointer)} name=${key} rows=${attributes.rows ?? 3} maxlength=${attributes.maxlength ?? nothing} ?required=${isRequired}
          aria-describedby=${described} aria-invalid=${invalid} .value=${model[key] ?? ''} @input=${changed(model, key)}></textarea>`
      : html`<input id=${idOf(pointer)} name=${key} type=${type} ?required=${isRequired} maxlength=${attributes.maxlength ?? nothing}
          min=${attributes.min ?? nothing} max=${attributes.max ?? nothing} step=${attributes.step ?? nothing}
          inputmode=${attributes.inputmode ?? nothing} pattern=${attributes.pattern ?? nothing} ?disabled=${attributes.isFixed}
          autocomplete=${attributes.autocomplete ?? nothing}
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

/** Boxes of which a list in the model holds the values that are checked. */
export function checks(form, model, key, label, options, more = {}) {
  const { base = '', at = key } = more;
  const pointer = `${base}/${at}`;
  const found = foundAt(form, pointer);
  const toggle = (value) => (event) => {
    const others = model[key].filter((each) => each !== value);
    model[key] = event.target.checked ? [...others, value] : others;
    show();
  };
  return html`
    <fieldset class="checks wide" id=${idOf(pointer)} aria-describedby=${found.length > 0 ? `${idOf(pointer)}-problems` : nothing}>
      <legend>${label}</legend>
      ${options.map(([value, text]) => html`
        <label class="check-box"><input type="checkbox" name=${key} value=${value} .checked=${model[key].includes(value)} @change=${toggle(value)}>
          <span>${text}</span></label>`)}
      ${found.length > 0 ? problemsView(pointer, found) : nothing}
    </fieldset>`;
}

/* Rows that can be added and removed. The focus goes with them. */

/** Adds an item to the list of the button that was pressed, and goes to its first field. */
export function addRow(event, items, item) {
  const list = event.currentTarget.closest('.row-list');
  items.push(item);
  show();
  [...list.querySelectorAll(':scope > .row')].at(-1).querySelector('input, select').focus();
}

/** Removes an item, and goes to the button that adds one. */
export function removeRow(event, items, i) {
  const list = event.currentTarget.closest('.row-list');
  items.splice(i, 1);
  show();
  list.querySelector(':scope > .add').focus();
}

/** All that was found, for those who do not see the fields. Each finding leads to its field. */
export function summary(form) {
  const all = [...(form.problems ?? new Map()).entries()].flatMap(([pointer, found]) => found.map((each) => [pointer, each]));
  if (all.length === 0) {
    return nothing;
  }
  return html`
    <div class="message summary" role="alert" tabindex="-1">
      <p>${t('findings', all.length)}</p>
      <ul>${all.map(([pointer, each]) => html`
        <li class=${each.isWarning ? 'warns' : 'refuses'}><button type="button" class="quiet to-field"
          @click=${() => focusAt(pointer)}><code>${pointer}</code> ${each.text}</button></li>`)}</ul>
    </div>`;
}

/** Goes to the field of a place, or to that of the part of the form that the place belongs to. */
function focusAt(pointer) {
  const steps = pointer.split('/');
  const place = steps.map((_, i) => document.getElementById(idOf(steps.slice(0, steps.length - i).join('/')))).find(Boolean);
  const details = place?.closest('details');
  if (details) {
    details.open = true;
  }
  const control = place?.matches('input, select, textarea') ? place : place?.querySelector('input, select, textarea, button');
  (control ?? document.querySelector('main input, main select'))?.focus();
}

/** Brings what was found to the eyes and ears of whoever has sent a form. */
export const revealProblems = () => requestAnimationFrame(() => document.querySelector('.summary')?.focus());

const isEmpty = (value) => value === undefined || value === null || value === '';

/** The problems of a form that was refused; anything else that went wrong is thrown again. */
export function showFindings(form, failure) {
  if (!(failure instanceof Refusal) || failure.findings.length === 0) {
    throw failure;
  }
  form.problems = problemsOf(failure.findings);
  revealProblems();
}

export const numberOr = (value) => (isEmpty(value) ? undefined : Number(value));

export const textOr = (value) => (isEmpty(value) || String(value).trim() === '' ? undefined : String(value));

/** The time of an instant on the clock of a zone, as a field for dates and times shows it. */
export function localTime(instant, zone) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: browserZone(zone), year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
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
