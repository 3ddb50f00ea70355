/** The page for players: its routes, its frame, and its start. */

import { html, nothing, render } from './lit-html.js';
import * as api from './api.js';
import { loadMine, signIn } from './account.js';
import { awardsView, claimedView, claimView, codeView, mineView, textView } from './awards.js';
import { closeBeside, showDialog } from './dialog.js';
import { pendingOf } from './draws.js';
import { earningView, waysToEarn } from './earn.js';
import { entryView, followPool, stopLooking } from './entries.js';
import { day, language, locale, switchLanguage } from './language.js';
import { followLogin, goOnElsewhere, leave, loginView } from './login.js';
import { loadProviders, paymentsButton, paymentsView, paymentView } from './payments.js';
import { playView } from './play.js';
import { checkDraw, checkEntry, checkView } from './proof.js';
import { attempt, closeDialog, forgetMine, onRoute, onShow, root, route, show, state } from './state.js';
import { t } from './texts.js';
import { wheel } from './wheel.js';
import { follow, stopFollowing, WINNERS_MAX, winnersView } from './winners.js';

const ACTIVITIES_PER_PAGE = 100;
const PAGES_MAX = 5;
const RULES_MAX = 100;
const SHOWN_STATES = ['DOING', 'PAUSED', 'PASSED', 'OPENED', 'CLOSED'];

function update() {
  document.documentElement.lang = locale();
  document.title = state.activity ? `${state.activity.name} – ${t('title')}` : t('title');
  render(page(), root);
  showDialog();
}

/* Routes */

async function loadActivities() {
  state.activities = (await Promise.all(SHOWN_STATES.map(activitiesIn))).flat();
}

/** Returns the activities in a state, the newest first. Of those that are over, the newest are enough. */
async function activitiesIn(name) {
  const path = `/api/v1/activities?state=${name}&limit=${ACTIVITIES_PER_PAGE}`;
  let page = await api.read(path);
  const found = [...page.items];
  for (let pages = 1; page.next && pages < PAGES_MAX && name !== 'CLOSED'; pages++) {
    page = await api.read(`${path}&cursor=${encodeURIComponent(page.next)}`);
    found.push(...page.items);
  }
  return found;
}

/** @param isCurrent says whether the page has not been sent elsewhere meanwhile */
async function openActivity(id, isCurrent) {
  const path = `/api/v1/activities/${id}`;
  const [activity, odds, winners, rules] = await Promise.all([
    api.read(path),
    api.read(`${path}/odds`).catch(() => null),
    api.read(`${path}/winners?limit=${WINNERS_MAX}`).catch(() => ({ items: [] })),
    api.read(`/api/v1/rebate-rules?limit=${RULES_MAX}`).catch(() => ({ items: [] })),
  ]);
  const pool = activity.draw ? await api.read(`${path}/pool`) : null;
  const providers = await loadProviders(activity).catch(() => []);
  if (!isCurrent()) {
    return;
  }
  Object.assign(state, { activity, pool, odds, providers, winners: winners.items, earning: waysToEarn(rules.items, activity) });
  state.hasNothing = Number(odds?.nothing ?? 0) > 0;
  forgetMine();
  follow();
  followPool();
  await loadMine();
  if (isCurrent()) {
    state.isUnanswered = pendingOf(activity.activityId) !== null;
  }
}

let visit = 0;

/** Opens what the address says. What comes for an earlier address is dropped. */
async function openAddress() {
  visit += 1;
  const own = visit;
  const isCurrent = () => own === visit;
  const id = /^#\/activities\/(\d+)$/.exec(location.hash)?.[1];
  stopFollowing();
  stopLooking();
  Object.assign(state, { activity: null, pool: null, odds: null, providers: [], earning: [], result: null, dialog: null, isUnanswered: false });
  await attempt(() => (id ? openActivity(id, isCurrent) : loadActivities()), isCurrent);
}

/* The page */

const page = () => html`
  <header>
    <a class="brand" href="#/"><span class="mark" aria-hidden="true"></span>${t('title')}</a>
    <nav aria-label=${t('title')}>
      ${api.currentPlayer()
        ? html`<span class="who">${api.currentPlayer().name}</span>
            <button class="quiet" @click=${leave}>${t('logOut')}</button>`
        : nothing}
      <button class="quiet" lang=${language() === 'zh' ? 'en' : 'zh-CN'} aria-label=${t('switchLanguage')}
        @click=${changeLanguage}>${t('language')}</button>
    </nav>
  </header>
  <main>
    <div role="alert">${state.message ? html`<p class="message">${state.message}</p>` : nothing}</div>
    ${state.activity ? activityView() : homeView()}
  </main>
  <dialog aria-labelledby="dialog-title" @close=${() => closeDialog()} @click=${closeBeside}>${dialogView()}</dialog>`;

async function changeLanguage() {
  switchLanguage();
  show();
  // Refusals and reasons come in the language of the request.
  if (state.dialog?.kind === 'check') {
    const { proof, entry } = state.dialog;
    await attempt(() => (proof ? checkDraw(proof.orderId) : checkEntry(entry)));
  }
}

const isRouted = () => location.hash.startsWith('#/activities/');

const homeView = () => html`
  ${isRouted() ? nothing : html`
    <section class="hero">
      <div>
        <h1 tabindex="-1">${t('tagline')}</h1>
        ${api.currentPlayer() ? nothing : loginView()}
      </div>
      <div class="ornament" aria-hidden="true">${wheel(ornament, false)}</div>
    </section>`}
  ${state.activities === null || isRouted()
    ? state.message
      ? html`<p><button @click=${route}>${t('again')}</button></p>`
      : html`<p class="hint">${t('loading')}</p>`
    : activitiesView()}`;

const ornament = ['PHYSICAL', 'CREDIT', 'TEXT', 'COUPON', 'CODE', 'PHYSICAL', 'CREDIT', 'TEXT'].map((type, awardId) => ({
  type, awardId, title: '', unlocked: true,
}));

const phaseOf = (activity) => (['DOING', 'PAUSED', 'CLOSED'].includes(activity.state) ? activity.state : 'LATER');

const activitiesView = () => html`
  <section aria-labelledby="activities">
    <h2 id="activities">${t('activities')}</h2>
    ${state.activities.length === 0 ? html`<p class="hint">${t('noActivities')}</p>` : nothing}
    <ul class="cards">
      ${state.activities.map((each) => html`
        <li class="card">
          <p class="tags"><span class="tag ${phaseOf(each)}">${t(phaseOf(each))}</span>
            <span class="hint">${phaseOf(each) === 'LATER' ? t('from', day(each.beginsAt)) : t('until', day(each.endsAt))}</span></p>
          <h3>${each.name}</h3>
          ${each.description ? html`<p>${each.description}</p>` : nothing}
          <a class="button ${each.state === 'DOING' ? 'primary' : ''}" href="#/activities/${each.activityId}"
            aria-label="${t(each.state === 'DOING' ? 'play' : 'look')}: ${each.name}">
            ${t(each.state === 'DOING' ? 'play' : 'look')}</a>
        </li>`)}
    </ul>
  </section>`;

const activityView = () => html`
  <p class="back"><a href="#/">← ${t('allActivities')}</a></p>
  <div class="play">
    <section class="stage" aria-labelledby="activity">
      <h1 id="activity" tabindex="-1">${state.activity.name}</h1>
      ${state.activity.description ? html`<p class="hint">${state.activity.description}</p>` : nothing}
      ${state.pool ? entryView() : playView()}
      ${api.currentPlayer() ? nothing : loginView()}
    </section>
    <div class="side">
      ${earningView(state, { signIn })} ${api.currentPlayer() ? html`${mineView()} ${paymentsButton()}` : nothing} ${awardsView()} ${winnersView()}
    </div>
  </div>`;

const DIALOGS = { claim: claimView, claimed: claimedView, code: codeView, text: textView, check: checkView, payment: paymentView, payments: paymentsView };


const dialogView = () => (state.dialog ? html`<div class="sheet">${DIALOGS[state.dialog.kind](state.dialog)}</div>` : nothing);

/* The start */

onShow(update);
onRoute(openAddress);
addEventListener('hashchange', async () => {
  await route();
  root.querySelector('h1')?.focus();
});
addEventListener('storage', followLogin);
show();
await attempt(async () => {
  const [ways] = await Promise.all([api.readWays(), api.resume()]);
  state.ways = ways;
});
if (!api.currentPlayer() || !goOnElsewhere()) {
  await route();
}
