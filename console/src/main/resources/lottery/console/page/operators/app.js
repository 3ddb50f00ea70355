/** The page for operators: login, navigation, dialogs. */

import { html, nothing, render } from '../lit-html.js';
import { Refusal, call, read } from '../api.js';
import { locale, switchLanguage } from '../language.js';
import * as accounts from './accounts.js';
import * as activities from './activities.js';
import * as board from './board.js';
import * as desk from './desk.js';
import * as payments from './payments.js';
import * as proposals from './proposals.js';
import * as reconciliation from './reconciliation.js';
import * as simulation from './simulation.js';
import * as strategies from './strategies.js';
import { attempt, busy, closeDialog, has, keepFresh, onShow, open, reload, show, staffRolesOf, STAFF, state, textOf } from './state.js';
import { t } from './texts.js';
import * as trees from './trees.js';

const FRESH_PERIOD = 2_000;
const root = document.getElementById('app');
const otherTabs = new BroadcastChannel('lottery.console');
const KEPT = 'lottery.operator';

const PAGES = [
  [/^#\/activities$/, activities.list],
  [/^#\/activities\/new$/, activities.form],
  [/^#\/activities\/(\d+)$/, activities.detail],
  [/^#\/activities\/(\d+)\/edit$/, activities.form],
  [/^#\/activities\/(\d+)\/board$/, board.page],
  [/^#\/strategies$/, strategies.list],
  [/^#\/strategies\/new$/, strategies.editor],
  [/^#\/strategies\/(\d+)$/, strategies.editor],
  [/^#\/strategies\/(\d+)\/versions\/(\d+)$/, strategies.editor],
  [/^#\/strategies\/(\d+)\/simulation$/, simulation.page],
  [/^#\/trees$/, trees.list],
  [/^#\/trees\/(\d+)$/, trees.editor],
  [/^#\/desk$/, desk.waiting],
  [/^#\/projections$/, desk.projections],
  [/^#\/audit$/, desk.audit],
  [/^#\/bans$/, desk.bans],
  [/^#\/accounts$/, accounts.page],
  [/^#\/proposals$/, proposals.page],
  [/^#\/payments$/, payments.page],
  [/^#\/reconciliation$/, reconciliation.page],
];

/** What each role is shown. The server decides what it may do. */
const LINKS = [
  ['#/activities', 'activities', ['operator', 'approver', 'desk', 'auditor']],
  ['#/strategies', 'strategies', ['operator', 'approver', 'auditor']],
  ['#/trees', 'trees', ['operator', 'approver', 'auditor']],
  ['#/desk', 'desk', ['desk', 'auditor']],
  ['#/proposals', 'proposals', ['operator', 'approver', 'desk', 'auditor']],
  ['#/payments', 'payments', ['desk', 'auditor']],
  ['#/reconciliation', 'reconciliation', ['desk', 'auditor']],
  ['#/bans', 'bans', ['desk', 'auditor']],
  ['#/projections', 'projections', ['operator', 'desk', 'auditor']],
  ['#/audit', 'audit', ['desk', 'auditor']],
  ['#/accounts', 'accounts', ['admin', 'desk', 'auditor']],
  ['#/proposals', 'proposals', ['admin']], // After what an administrator begins with.
];

const linksOf = () => LINKS.filter(([, key, roles]) => has(...roles) && (key !== 'accounts' || state.ways.password));

async function route() {
  if (!state.person) {
    show();
    return;
  }
  const found = PAGES.map(([address, page]) => [address.exec(location.hash), page]).find(([match]) => match);
  if (!found) {
    location.replace(linksOf()[0]?.[0] ?? '#/');
    return;
  }
  await open(found[1], found[0].slice(1));
}

/* Login */

async function enter(name, password) {
  const isIn = await attempt(async () => begin((await call('POST', '/api/v1/session', { name, password })).content));
  if (isIn) {
    otherTabs.postMessage('changed');
  }
  await showPage();
}

async function showPage() {
  if (state.person && state.page?.keepsInput && state.data !== null) {
    // What was typed before the session ended is still there.
    show();
  } else {
    await route();
  }
}

/** Another tab of this browser has logged in or out, for all of them. */
async function follow() {
  state.person = null;
  await attempt(resume);
  await showPage();
}

function begin(person) {
  state.person = person;
  localStorage.setItem(KEPT, person.name);
  if (staffRolesOf(person).length === 0) {
    state.message = t('notStaff', person.name);
  }
}

async function leave() {
  try {
    await call('DELETE', '/api/v1/session');
  } catch (failure) {
    if (!(failure instanceof Refusal) || failure.status !== 401) {
      state.message = textOf(failure);
      show();
      return;
    }
  }
  localStorage.removeItem(KEPT);
  Object.assign(state, { person: null, page: null, data: null, dialog: null, message: '', notice: '' });
  // The next person may have no business where this one was.
  history.replaceState(null, '', location.pathname);
  otherTabs.postMessage('changed');
  show();
  focusHeading();
}

/** Takes up the session of an earlier visit, if there was one. The cookie of its token ends with the browser. */
async function resume() {
  state.ways = await read('/api/v1/session/ways');
  if (state.ways.gateway) {
    begin({ name: '', roles: STAFF });
  } else if (localStorage.getItem(KEPT) !== null || document.cookie.includes('XSRF-TOKEN=')) {
    try {
      begin(await read('/api/v1/session'));
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.status !== 401) {
        throw failure;
      }
      localStorage.removeItem(KEPT);
    }
  }
}

const demoStaff = () =>
  STAFF.flatMap((role) => state.ways.demoUsers.filter((each) => each.roles.includes(role)));

function loginView() {
  if (!state.ways) {
    return state.message ? html`<p><button @click=${start}>${t('again')}</button></p>` : html`<p class="hint">${t('loading')}</p>`;
  }
  if (!state.ways.password) {
    return html`<section class="card login" aria-labelledby="login"><h1 id="login" tabindex="-1">${t('logIn')}</h1>
      <p>${t('noAccounts')}</p></section>`;
  }
  return html`
    <section class="card login" aria-labelledby="login">
      <h1 id="login" tabindex="-1">${t('logIn')}</h1>
      ${demoStaff().length > 0
        ? html`<p class="hint">${t('demoHint')}</p>
            <div class="demo-staff">
              ${demoStaff().map(({ name, roles }) => html`
                <button class="demo" @click=${() => enter(name, name)}><strong>${name}</strong><small>${t(`does_${roles[0]}`)}</small></button>`)}
            </div>`
        : nothing}
      <form class="password" @submit=${(event) => {
        event.preventDefault();
        const { name, password } = event.target.elements;
        enter(name.value.trim(), password.value);
      }}>
        <label><span>${t('name')}</span><input name="name" required maxlength="200" autocomplete="username"></label>
        <label><span>${t('password')}</span>
          <input name="password" type="password" required maxlength="200" autocomplete="current-password"></label>
        <button class="primary">${t('logIn')}</button>
      </form>
    </section>`;
}

/* The page */

const isHere = (address) => location.hash.startsWith(address);

const view = () => html`
  <header>
    <a class="brand" href=${linksOf()[0]?.[0] ?? '#/'}><span class="mark" aria-hidden="true"></span>${t('console')}</a>
    ${state.person
      ? html`<nav class="places" aria-label=${t('places')}>
          ${linksOf().map(([address, key]) => html`<a href=${address} aria-current=${isHere(address) ? 'page' : nothing}>${t(key)}</a>`)}</nav>`
      : nothing}
    <div class="self">
      ${state.person?.name
        ? html`<span class="who" title=${state.person.roles.join(', ')}>${state.person.name}</span>
            <button class="quiet" @click=${leave}>${t('logOut')}</button>`
        : nothing}
      <button class="quiet" lang=${locale() === 'en' ? 'zh-CN' : 'en'} aria-label=${t('switchLanguage')} @click=${changeLanguage}>${t('language')}</button>
    </div>
  </header>
  <main class=${state.isBusy ? 'busy' : ''}>
    <div role="alert">${state.message && !state.dialog ? html`<p class="message">${state.message}</p>` : nothing}</div>
    <div role="status">${state.notice ? html`<p class="message notice">${state.notice}</p>` : nothing}</div>
    ${state.person ? pageView() : loginView()}
  </main>
  <dialog aria-labelledby="dialog-title" @close=${closeDialog} @click=${(event) => event.target === event.currentTarget && closeDialog()}>
    ${dialogView()}
  </dialog>`;

function pageView() {
  if (!state.page) {
    return nothing;
  }
  if (state.data === null) {
    return state.message
      ? html`<p><button @click=${route}>${t('again')}</button></p>`
      : html`<p class="hint" aria-busy="true">${t('loading')}</p>`;
  }
  return state.page.view(state.data);
}

async function changeLanguage() {
  switchLanguage();
  state.message = '';
  state.notice = '';
  show();
  if (state.person && state.page && !state.page.keepsInput) {
    // The server writes in the language of the reader, too.
    await reload();
  }
}

/* Dialogs */

function dialogView() {
  const { dialog } = state;
  if (!dialog) {
    return nothing;
  }
  if (dialog.content) {
    return html`
      <div class="sheet">
        <h2 id="dialog-title" tabindex="-1" autofocus>${dialog.title}</h2>
        ${dialog.content()}
        <p class="buttons"><button @click=${closeDialog}>${t('close')}</button></p>
      </div>`;
  }
  return html`
    <form class="sheet" @submit=${decide}>
      <h2 id="dialog-title" tabindex="-1" autofocus>${dialog.title}</h2>
      <div class="wide">${typeof dialog.text === 'function' ? dialog.text() : html`<p>${dialog.text}</p>`}</div>
      ${dialog.problem ? html`<p class="message wide" role="alert">${dialog.problem}</p>` : nothing}
      ${dialog.needsReason
        ? html`<label class="wide"><span>${t('reason')}</span><input name="reason" required maxlength="200" autocomplete="off"></label>`
        : nothing}
      <div class="buttons wide">
        <button class=${dialog.isGrave ? 'grave' : 'primary'} aria-disabled=${busy()}>${dialog.label}</button>
        <button type="button" @click=${closeDialog}>${t('cancel')}</button>
      </div>
    </form>`;
}

async function decide(event) {
  event.preventDefault();
  if (state.isBusy) {
    return;
  }
  const { dialog } = state;
  const reason = event.target.elements.reason?.value.trim();
  const isDone = await attempt(() => dialog.act(reason));
  if (isDone) {
    // Whoever has closed the dialog meanwhile sees, too, what has become of it.
    const { notice } = state;
    if (state.dialog === dialog) {
      closeDialog();
    }
    await reload();
    state.notice = notice;
  } else if (state.dialog !== dialog) {
    return;
  } else if (state.isStale) {
    // It was changed by somebody else: what the dialog was about is not what there is.
    closeDialog();
    await reload();
    state.message = t('changedMeanwhile');
  } else {
    dialog.problem = state.message;
    state.message = '';
  }
  show();
}

/* Rendering, and the focus of the keyboard */

/** Whether the element with the focus has gone, and nothing has got the focus instead yet. */
let isFocusLost = false;

function renderAll() {
  const focused = document.activeElement;
  document.documentElement.lang = locale();
  const name = state.person && state.data !== null && state.page ? state.page.title(state.data) : '';
  document.title = name ? `${name} – ${t('console')}` : t('console');
  render(view(), root);
  showDialog();
  keepFocus(focused);
}

function showDialog() {
  const dialog = root.querySelector('dialog');
  if (state.dialog && !dialog.open) {
    dialog.showModal();
  } else if (!state.dialog && dialog.open) {
    dialog.close();
  }
}

/** Goes to the heading if what had the focus has gone. The next key would begin at the top of the page otherwise. */
function keepFocus(focused) {
  isFocusLost = document.activeElement === document.body && (isFocusLost || focused !== document.body);
  if (isFocusLost) {
    focusHeading();
  }
}

function focusHeading() {
  const heading = root.querySelector('h1');
  heading?.focus();
  isFocusLost = !heading;
}

/* The start */

async function start() {
  await attempt(resume);
  await route();
}

onShow(renderAll);
addEventListener('hashchange', async () => {
  state.notice = '';
  isFocusLost = true;
  await route();
  focusHeading();
});
document.addEventListener('visibilitychange', show);
otherTabs.addEventListener('message', follow);
keepFresh(FRESH_PERIOD);
await start();
