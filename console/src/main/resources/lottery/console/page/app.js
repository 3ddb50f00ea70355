/** The page for players: activities, the wheel, chances, awards, winners, and the check of a draw. */

import { html, nothing, render } from './lit-html.js';
import * as api from './api.js';
import * as check from './check.js';
import { buy, draw, enter as enterPool, pendingOf } from './draws.js';
import { hasSignIn, isSignedToday, waysToEarn, weeksOf } from './earn.js';
import { day, language, locale, monthName, number, percent, switchLanguage, time, weekdays } from './language.js';
import { lookAfter, placed, poolView, stepsOf as entrySteps } from './pool.js';
import { t } from './texts.js';
import { fieldsOf, icon, turnTo, wheel } from './wheel.js';

const root = document.getElementById('app');
const AT_ONCE_MAX = 10;
const WINNERS_MAX = 8;
const AWARDS_PER_PAGE = 5;
const ACTIVITIES_MAX = 100;
const FOLLOW_AGAIN = 15_000;
const RULES_MAX = 100;
const ENTRIES_SHOWN = 10;
const CLOCK_TICK = 1_000;

/** The browsers' timers reach no further. Who stays that long looks when the page is opened again. */
const LOOK_AHEAD_MAX = 2 ** 31 - 1;

/** Rebates are given after the answer to a sign-in: the page looks for them at these times. */
const REBATES_AFTER = [500, 1_500, 4_000];
const SHOWN_STATES = ['DOING', 'PAUSED', 'PASSED', 'OPENED', 'CLOSED'];

const state = {
  ways: null,
  activities: null,
  activity: null,
  odds: null,
  /** What earns chances here; see earn.js. */
  earning: [],
  /** This month's sign-ins of the player. */
  calendar: null,
  awards: [],
  hasNothing: false,
  chances: null,
  credits: null,
  wins: null,
  next: null,
  winners: [],
  /** Of an activity that is drawn at one time: how its pool stands, and the player's newest entries in it. */
  pool: null,
  entries: null,
  hasMoreEntries: false,
  /** '', 'asking' until the server has drawn, 'turning' until the wheel stands; 'buying', 'signing' or 'entering' meanwhile. */
  phase: '',
  result: null,
  message: '',
  isUnanswered: false,
  codeWasSent: false,
  dialog: null,
};

/** Addresses that were given in this visit: the award stays as it is until it is sent. */
const claimed = new Set();

function show() {
  document.documentElement.lang = locale();
  document.title = state.activity ? `${state.activity.name} – ${t('title')}` : t('title');
  render(page(), root);
  const dialog = root.querySelector('dialog');
  if (state.dialog && !dialog.open) {
    dialog.showModal();
  } else if (!state.dialog && dialog.open) {
    dialog.close();
  }
}

/** Runs something, and shows why it did not work. Returns whether it did. */
async function attempt(work) {
  state.message = '';
  try {
    await work();
    return true;
  } catch (failure) {
    fail(failure);
    return false;
  } finally {
    show();
  }
}

function fail(failure) {
  if (failure instanceof api.Refusal && failure.status === 401 && api.currentPlayer()) {
    api.forget();
    forgetMine();
    state.message = t('expired');
  } else if (failure instanceof api.Refusal) {
    state.message = failure.message;
  } else if (failure instanceof api.Unreachable) {
    state.message = t('unreachable');
  } else {
    console.error(failure);
    state.message = t('failed', failure.message);
  }
}

/* Reads */

const activityPath = () => `/api/v1/activities/${state.activity.activityId}`;
const user = () => encodeURIComponent(api.currentPlayer().name);
const accountPath = () => `${activityPath()}/accounts/${user()}`;
const isHere = (activity) => state.activity?.activityId === activity.activityId;

async function loadActivities() {
  const { items } = await api.read(`/api/v1/activities?limit=${ACTIVITIES_MAX}`);
  const rank = (activity) => SHOWN_STATES.indexOf(activity.state);
  state.activities = items.filter((each) => rank(each) >= 0).sort((one, other) => rank(one) - rank(other));
}

function forgetMine() {
  state.chances = null;
  state.entries = null;
  state.credits = null;
  state.calendar = null;
  state.wins = null;
  state.next = null;
  state.result = null;
  state.isUnanswered = false;
  // Everybody may see what there is to win, and nobody's locks.
  state.awards = (state.odds?.awards ?? []).map((award, sort) => ({ ...award, sort, unlocked: true }));
}

async function loadMine(position) {
  const { activity } = state;
  if (!api.currentPlayer()) {
    forgetMine();
    return;
  }
  const [awards, chances, wins, credits, calendar, orders] = await Promise.all([
    api.readAfter(`${activityPath()}/awards?userId=${user()}`, position),
    api.readAfter(accountPath(), position),
    api.readAfter(`${accountPath()}/awards?limit=${AWARDS_PER_PAGE}`, position),
    offers().length > 0 ? api.readAfter(`/api/v1/users/${user()}/credits`, position) : null,
    hasSignIn(state.earning) ? api.readAfter(`/api/v1/users/${user()}/sign-ins`, position) : null,
    state.pool ? api.read(`${accountPath()}/raffle-orders?limit=${ENTRIES_SHOWN}`) : null,
  ]);
  if (orders && isHere(activity)) {
    await loadPlaces(activity, orders);
  }
  if (isHere(activity)) {
    const { items, next = null } = wins;
    Object.assign(state, { awards, chances, wins: items, next, credits: credits?.balance ?? null, calendar });
  }
}

/** Shows the entries of the player, with their places once they have some. */
async function loadPlaces(activity, { items, next }) {
  const entries = items.filter((each) => each.entryNo !== undefined);
  const known = await placed(activity.activityId, state.pool, entries, state.entries);
  if (isHere(activity)) {
    Object.assign(state, { entries: known, hasMoreEntries: next !== undefined });
  }
}

/** The bundles of chances that players can buy for credits themselves. */
const offers = () => (state.activity.skus ?? []).filter((each) => each.priceCredits !== undefined);

async function loadMore() {
  const { next, activity } = state;
  // A second click asks for nothing.
  state.next = null;
  try {
    const more = await api.read(`${accountPath()}/awards?limit=${AWARDS_PER_PAGE}&cursor=${encodeURIComponent(next)}`);
    if (isHere(activity)) {
      state.wins = [...state.wins, ...more.items];
      state.next = more.next ?? null;
    }
  } catch (failure) {
    state.next = next;
    throw failure;
  }
}

async function openActivity(id) {
  const path = `/api/v1/activities/${id}`;
  const [activity, odds, winners, rules] = await Promise.all([
    api.read(path),
    api.read(`${path}/odds`).catch(() => null),
    api.read(`${path}/winners?limit=${WINNERS_MAX}`).catch(() => ({ items: [] })),
    api.read(`/api/v1/rebate-rules?limit=${RULES_MAX}`).catch(() => ({ items: [] })),
  ]);
  const pool = activity.draw ? await api.read(`${path}/pool`) : null;
  Object.assign(state, { activity, pool, odds, winners: winners.items, earning: waysToEarn(rules.items, activity) });
  state.hasNothing = Number(odds?.nothing ?? 0) > 0;
  forgetMine();
  follow();
  followPool();
  await loadMine();
  state.isUnanswered = pendingOf(activity.activityId) !== null;
}

/* An activity that is drawn at one time */

let nextLook = 0;

/** Looks at the pool again whenever it should have gone on; less and less often while it does not. */
function followPool(vain = 0) {
  clearTimeout(nextLook);
  const { activity, pool, entries } = state;
  const after = pool ? lookAfter(pool, entries, new Date(), vain) : null;
  if (after !== null && after < LOOK_AHEAD_MAX) {
    nextLook = setTimeout(() => isHere(activity) && lookAtPool(activity, vain), after);
  }
}

async function lookAtPool(activity, vain) {
  if (document.visibilityState !== 'visible') {
    // A page that nobody sees waits until somebody does.
    document.addEventListener('visibilitychange', () => isHere(activity) && followPool(), { once: true });
    return;
  }
  const before = state.pool;
  const pool = await api.read(`${activityPath()}/pool`).catch(() => before);
  if (!isHere(activity)) {
    return;
  }
  state.pool = pool;
  if (!state.phase && (pool.state !== before.state || pool.state === 'DRAWN')) {
    await loadMine().catch(() => {});
  }
  if (isHere(activity)) {
    followPool(pool.state === before.state ? vain + 1 : 0);
    show();
  }
}

async function enterOnce() {
  if (state.phase) {
    return;
  }
  const { activity } = state;
  state.phase = 'entering';
  const isDone = await attempt(async () => {
    show();
    const { position } = await inTurn(`lottery.entry.${activity.activityId}`, () => enterPool(activity.activityId, waiting));
    state.message = '';
    if (isHere(activity)) {
      await loadMine(position);
    }
  });
  state.phase = '';
  if (!isDone && isHere(activity)) {
    await lookAtPool(activity, 0);
  }
  show();
}

async function checkEntry(entry) {
  const { activityId } = state.activity;
  state.dialog = { kind: 'check', entry, steps: check.canCompute() ? await entrySteps(activityId, entry) : [] };
}

/** Wins of a pool are proved by their entries. */
async function checkWin(win) {
  const orderId = orderOf(win);
  if (!state.pool) {
    await checkDraw(orderId);
    return;
  }
  const { entryNo } = await api.read(`/api/v1/raffle-orders/${encodeURIComponent(orderId)}`);
  await checkEntry({ orderId, entryNo });
}

/** The clock of a pool goes on. */
setInterval(() => state.pool && document.visibilityState === 'visible' && show(), CLOCK_TICK);

/* Winners as they win */

let stream = null;
let held = [];

function follow() {
  stream?.close();
  const { activity } = state;
  const newest = state.winners[0]?.position;
  const source = new EventSource(`${activityPath()}/winners/stream${newest ? `?lastEventId=${newest}` : ''}`);
  stream = source;
  source.addEventListener('winner', (event) => {
    held.unshift({ ...JSON.parse(event.data), isNew: true });
    held.length = Math.min(held.length, WINNERS_MAX);
    // The list must not tell what the wheel has not shown yet.
    if (!state.phase) {
      requestAnimationFrame(tellWinners);
    }
  });
  source.addEventListener('error', () => {
    // The browser connects again by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => stream === source && isHere(activity) && follow(), FOLLOW_AGAIN);
    }
  });
}

function tellWinners() {
  if (held.length > 0) {
    state.winners = [...held, ...state.winners].slice(0, WINNERS_MAX);
    held = [];
    show();
  }
}

/* Routes */

async function route() {
  const id = /^#\/activities\/(\d+)$/.exec(location.hash)?.[1];
  stream?.close();
  stream = null;
  held = [];
  clearTimeout(nextLook);
  Object.assign(state, { activity: null, pool: null, odds: null, earning: [], result: null, dialog: null, isUnanswered: false });
  if (id) {
    await attempt(() => openActivity(id));
  } else {
    await attempt(loadActivities);
  }
}

/* Draws */

const rateOf = (each) => Number(state.odds?.awards.find((award) => award.awardId === each.award.awardId)?.rate ?? 1);

/** The draw that the wheel turns to: of several the rarest award, and a consolation if there is nothing else. */
function finest(draws) {
  const awarded = draws.filter((each) => each.award);
  const real = awarded.filter((each) => each.outcome === 'WON');
  const won = real.length > 0 ? real : awarded;
  return won.length === 0 ? draws.at(-1) : won.reduce((one, other) => (rateOf(other) < rateOf(one) ? other : one));
}

/** Other tabs of this browser wait for their turn. */
const inTurn = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : work());

function waiting(why) {
  state.message =
    why.state === 'QUEUED' ? t('queued', why.position) : t(why instanceof api.Unreachable ? 'retrying' : 'busy');
  show();
}

async function play(count) {
  if (state.phase) {
    return;
  }
  const { activity } = state;
  Object.assign(state, { phase: 'asking', result: null, message: '', isUnanswered: false });
  show();
  try {
    const answer = await inTurn(`lottery.draw.${activity.activityId}`, () => draw(activity.activityId, count, waiting));
    if (isHere(activity)) {
      const best = finest(answer.draws);
      state.hasNothing ||= !best.award;
      Object.assign(state, { phase: 'turning', message: '' });
      show();
      await turnTo(root, fields(), best.award?.awardId ?? null);
    }
    if (isHere(activity)) {
      state.result = answer;
      await loadMine(answer.position);
    }
  } catch (failure) {
    fail(failure);
    state.isUnanswered = pendingOf(activity.activityId) !== null;
    await loadMine().catch(() => {});
  }
  state.phase = '';
  tellWinners();
  show();
}

async function purchase(offer) {
  if (state.phase) {
    return;
  }
  const { activity } = state;
  state.phase = 'buying';
  await attempt(async () => {
    show();
    const { position } = await buy(activity.activityId, offer.sku, waiting);
    state.message = '';
    await loadMine(position);
  });
  state.phase = '';
  tellWinners();
  show();
}

const fields = () => fieldsOf(state.awards, state.hasNothing);

/* Earning */

async function signIn() {
  if (state.phase) {
    return;
  }
  const { activity } = state;
  state.phase = 'signing';
  const isDone = await attempt(async () => {
    show();
    const { position } = await api.call('POST', `/api/v1/users/${user()}/sign-ins`, {});
    await loadMine(position);
  });
  state.phase = '';
  tellWinners();
  show();
  for (const after of isDone ? REBATES_AFTER : []) {
    setTimeout(() => isHere(activity) && !state.phase && attempt(() => loadMine()), after);
  }
}

/* Awards */

const nameOf = (award) => (award.amount ? `${award.title} (${award.amount})` : award.title);

async function showCode(win) {
  const { code } = await api.read(`/api/v1/award-records/${encodeURIComponent(win.awardRecordId)}/code`);
  state.dialog = { kind: 'code', code };
}

async function showText(win) {
  const { text } = await api.read(`/api/v1/award-records/${encodeURIComponent(win.awardRecordId)}`);
  state.dialog = { kind: 'text', title: nameOf(win.award), text: text ?? t('noText') };
}

async function claim(event, awardRecordId) {
  event.preventDefault();
  const form = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value.trim() !== ''));
  const { dialog } = state;
  dialog.problem = '';
  try {
    const path = `/api/v1/award-records/${encodeURIComponent(awardRecordId)}/claim`;
    const { position } = await api.call('POST', path, form);
    claimed.add(awardRecordId);
    state.dialog = { kind: 'claimed' };
    await loadMine(position);
  } catch (failure) {
    fail(failure);
    dialog.problem = state.message;
    state.dialog = api.currentPlayer() ? state.dialog : null;
  }
  show();
}

const orderOf = (win) => win.awardRecordId.replace(/^award:/, 'order:');

async function checkDraw(orderId) {
  const proof = await api.read(`/api/v1/raffle-orders/${encodeURIComponent(orderId)}/proof`);
  // The odds and the seed of now: the activity may have been closed in the meantime.
  const odds = await api.read(`/api/v1/activities/${proof.activityId}/odds`);
  state.dialog = { kind: 'check', proof, steps: check.canCompute() ? await stepsOf(proof, odds) : [] };
}

async function stepsOf(proof, odds) {
  const { inputs, recorded } = proof;
  const round = odds.rounds?.find((each) => each.round === inputs.round);
  const seed = round?.seed;
  const commitment = round?.commitment ?? inputs.commitment;
  const promise = { title: t('stepPromise'), text: t('stepPromiseText'), values: [[t('commitment'), commitment]] };
  if (inputs.roundCommitment) {
    const published = round?.strategies?.find((each) => each.strategyVersion === inputs.strategyVersion);
    const computed = await check.roundCommitmentOf(proof.activityId, { ...inputs, commitment });
    promise.values.push([t('roundCommitment'), inputs.roundCommitment]);
    promise.agrees = computed === inputs.roundCommitment && published?.roundCommitment === computed;
  }
  const steps = [promise];
  if (seed) {
    const agrees = (await check.commitmentOf(seed)) === commitment;
    steps.push({ title: t('stepSeed'), text: t('stepSeedText'), values: [[t('seed'), seed]], agrees });
  } else {
    steps.push({ title: t('stepSeed'), text: t('stepSeedSecret'), isPending: true });
  }
  steps.push({
    title: t('stepTicket'),
    text: seed ? t('stepTicketText') : t('stepTicketSecret'),
    values: [[t('order'), proof.orderId], [t('ticket'), inputs.ticket]],
    ...(seed ? { agrees: (await check.ticketOf(seed, proof.orderId)) === inputs.ticket } : { isPending: true }),
  });
  const isSameVersion = odds.strategyId === inputs.strategyId && odds.strategyVersion === inputs.strategyVersion;
  const picked = isSameVersion ? await check.pick(odds, inputs) : null;
  if (!picked) {
    steps.push({ title: t('stepPick'), text: t('stepPickUnknown', inputs.strategyVersion) });
    return steps;
  }
  const pickedName = picked.award?.title ?? t('noAward');
  const numbers = [picked.column, picked.columns, picked.height, picked.whole, picked.threshold];
  steps.push({
    title: t('stepPick'),
    text: t('stepPickText', pickedName),
    more: picked.column === undefined ? '' : t('stepPickNumbers', ...numbers.map((each) => number(each))),
  });
  steps.push(rulesStep(picked.award, inputs, recorded));
  return steps;
}

function rulesStep(award, inputs, recorded) {
  const lockedUntil = state.awards.find((each) => each.awardId === award?.awardId)?.lockedUntilDraws ?? 0;
  const isTaken = award !== null && check.isUnavailable(inputs)(award.awardId);
  const isLocked = award !== null && lockedUntil > inputs.drawsBeforeToday;
  const isSame = (recorded.award?.awardId ?? null) === (award?.awardId ?? null);
  const isExpected = isTaken || isLocked ? recorded.outcome !== 'WON' : isSame;
  const lines = [];
  if (isTaken) {
    lines.push(t('ruleTaken', award.title));
  }
  if (isLocked) {
    lines.push(t('ruleLocked', lockedUntil, award.title));
  }
  if (award && !isTaken && !isLocked) {
    lines.push(t('ruleFree', award.title));
  }
  if (!isExpected) {
    lines.push(t('ruleOther'));
  }
  lines.push(t('ruleResult', recorded.award ? nameOf(recorded.award) : t('noAward')));
  return { title: t('stepRules'), text: lines.join(' '), ...(isExpected ? { agrees: true } : {}) };
}

/* Login */

async function enter(login) {
  const isIn = await attempt(async () => {
    await login();
    if (!api.currentPlayer().roles.includes('player')) {
      await api.logOut();
      throw new api.Refusal(403, { detail: t('notPlayer') });
    }
  });
  if (!isIn) {
    return;
  }
  state.codeWasSent = false;
  const running = (state.activities ?? []).filter((each) => each.state === 'DOING');
  if (!state.activity && running.length === 1) {
    location.hash = `#/activities/${running[0].activityId}`;
  } else {
    await route();
  }
}

async function leave() {
  await attempt(api.logOut);
  await route();
}

/** Another tab has logged in or out. */
async function followLogin(event) {
  if (event.key === 'lottery.player') {
    if (event.newValue === null) {
      api.forget();
    } else {
      await attempt(api.resume);
    }
    await route();
  }
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

function loginView() {
  if (!state.ways) {
    return nothing;
  }
  if (!state.ways.password) {
    return html`<section class="card"><p>${t(state.ways.gateway ? 'logInAtGateway' : 'logInElsewhere')}</p></section>`;
  }
  const players = state.ways.demoUsers.filter((each) => each.roles.includes('player'));
  if (players.length === 0) {
    return html`
      <section class="card" aria-labelledby="login">
        <h2 id="login">${t('logIn')}</h2>
        ${passwordForm()}
        ${state.ways.phone ? html`<details><summary>${t('byPhone')}</summary>${phoneForms()}</details>` : nothing}
      </section>`;
  }
  return html`
    <section class="card" aria-labelledby="login">
      <h2 id="login">${t('choosePlayer')}</h2>
      <p class="hint">${t('demoHint')}</p>
      <div class="buttons">
        ${players.map(({ name }) => html`
          <button class="primary demo" @click=${() => enter(() => api.logIn(name, name))}>${t('playAs', name)}</button>`)}
      </div>
      <details><summary>${t('otherName')}</summary>${passwordForm()}</details>
    </section>`;
}

function passwordForm() {
  const submit = (event) => {
    event.preventDefault();
    const { name, password } = event.target.elements;
    enter(() => api.logIn(name.value.trim(), password.value));
  };
  return html`
    <form class="password" @submit=${submit}>
      <label>${t('name')} <input name="name" required maxlength="200" autocomplete="username"></label>
      <label>${t('password')}
        <input name="password" type="password" required maxlength="200" autocomplete="current-password"></label>
      <button class="primary">${t('logIn')}</button>
    </form>`;
}

function phoneForms() {
  const send = (event) => {
    event.preventDefault();
    attempt(async () => {
      await api.sendCode(event.target.elements.phone.value);
      state.codeWasSent = true;
    });
  };
  const submit = (event) => {
    event.preventDefault();
    const phone = root.querySelector('form.phone').elements.phone.value;
    enter(() => api.logInByPhone(phone, event.target.elements.code.value));
  };
  return html`
    <form class="phone" @submit=${send}>
      <label>${t('phone')}
        <input name="phone" type="tel" required pattern="\\+[1-9][0-9]{6,14}" title=${t('phoneHint')} autocomplete="tel">
      </label>
      <button>${t('sendCode')}</button>
    </form>
    ${state.codeWasSent
      ? html`<p class="hint" role="status">${t('codeSent')}</p>
          <form @submit=${submit}>
            <label>${t('code')}
              <input name="code" required pattern="[0-9]{6}" inputmode="numeric" autocomplete="one-time-code"></label>
            <button class="primary">${t('logIn')}</button>
          </form>`
      : nothing}`;
}

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
      ${state.pool
        ? entryView()
        : html`
            ${wheel(fields(), ['asking', 'turning'].includes(state.phase))}
            <div class="outcome" aria-live="polite">${outcomeView()}</div>
            ${api.currentPlayer() ? drawView() : nothing}`}
      ${api.currentPlayer() ? nothing : loginView()}
    </section>
    <div class="side">
      ${earningView()} ${api.currentPlayer() ? mineView() : nothing} ${awardsView()} ${winnersView()}
    </div>
  </div>`;

const chancesLeft = () =>
  state.chances ? Math.min(state.chances.total.left, state.chances.month.left, state.chances.day.left) : 0;

const titleOf = (awardId) => state.odds?.awards.find((each) => each.awardId === awardId)?.title ?? String(awardId);

const entryView = () => html`
  ${poolView(
    { ...state, hasMore: state.hasMoreEntries, left: chancesLeft(), now: new Date(), titleOf },
    { enter: enterOnce, look: (entry) => attempt(() => checkEntry(entry)) },
  )}
  ${api.currentPlayer() && state.activity.state === 'DOING' ? offersView() : nothing}
  ${state.activity.state === 'PAUSED' ? html`<p class="hint">${t('pausedNow')}</p>` : nothing}`;

function drawView() {
  const left = chancesLeft();
  const several = Math.min(AT_ONCE_MAX, left);
  const isOpen = state.activity.state === 'DOING';
  const isOff = state.phase !== '' || !isOpen || state.isUnanswered;
  return html`
    ${state.isUnanswered && !state.phase
      ? html`<p class="message">${t('unanswered')} <button @click=${() => play(1)}>${t('again')}</button></p>`
      : nothing}
    <div class="buttons">
      <button class="primary large draw" ?disabled=${isOff || left < 1} @click=${() => play(1)}>${t('draw')}</button>
      ${several > 1
        ? html`<button class="large draw-many" ?disabled=${isOff} @click=${() => play(several)}>${t('drawMany', several)}</button>`
        : nothing}
    </div>
    ${state.chances
      ? html`<p class="chances"><strong>${t('left', left)}</strong>
          <small>${t('leftHint', state.chances.day.left, state.chances.month.left, state.chances.total.left)}</small></p>`
      : nothing}
    ${isOpen ? offersView() : html`<p class="hint">${t(state.activity.state === 'PAUSED' ? 'pausedNow' : 'notOpen')}</p>`}
    ${isOpen && state.chances && left < 1 && !state.phase ? html`<p class="hint">${t('noChances')}</p>` : nothing}`;
}

function offersView() {
  if (offers().length === 0 || state.credits === null) {
    return nothing;
  }
  return html`
    <div class="offers">
      <small>${t('credits', state.credits)}</small>
      ${offers().map((each) => html`
        <button class="buy" ?disabled=${state.phase !== '' || Number(state.credits) < Number(each.priceCredits)}
          @click=${() => purchase(each)}>${t('buy', each.title ?? t('left', each.total), each.priceCredits)}</button>`)}
    </div>`;
}

function outcomeView() {
  if (['asking', 'turning'].includes(state.phase)) {
    return html`<p class="waiting">${t(state.phase === 'asking' ? 'asking' : 'drawing')}</p>`;
  }
  if (!state.result) {
    return nothing;
  }
  const { draws, notDrawn } = state.result;
  const rest = notDrawn ? html`<p class="hint">${t('notDrawn', notDrawn.count)}</p>` : nothing;
  if (draws.length === 1) {
    const [only] = draws;
    return html`
      <div class="result ${only.award ? 'won' : ''}">
        ${icon(only.award?.type ?? 'NONE')}
        <p>${only.outcome === 'WON' ? t('won') : only.award ? t('fallback') : t('nothing')}
          ${only.award ? html`<strong>${nameOf(only.award)}</strong>` : nothing}</p>
        <button class="quiet" @click=${() => attempt(() => checkDraw(only.orderId))}>${t('check')}</button>
      </div>${rest}`;
  }
  return html`
    <div class="result many">
      <p><strong>${t('several', draws.length)}</strong></p>
      <ul>
        ${draws.map((each) => html`
          <li class=${each.outcome === 'WON' ? 'won' : ''}>
            ${icon(each.award?.type ?? 'NONE')}<span>${each.award ? nameOf(each.award) : t('noAward')}</span>
            <button class="quiet check" aria-label=${t('checkOf', each.award ? nameOf(each.award) : t('noAward'))}
              @click=${() => attempt(() => checkDraw(each.orderId))}>${t('checkShort')}</button>
          </li>`)}
      </ul>
    </div>${rest}`;
}

const awardsView = () => html`
  <section class="card" aria-labelledby="awards">
    <h2 id="awards">${t('awards')}</h2>
    <ul class="list awards">
      ${[...state.awards].sort((one, other) => one.sort - other.sort).map((award) => html`
        <li class=${award.soldOut || award.held || award.reached || !award.unlocked ? 'dim' : ''}>
          ${icon(award.unlocked ? award.type : 'LOCK')}
          <span class="grow">${award.title}${award.subtitle ? html` <small>${award.subtitle}</small>` : nothing}
            ${conditionOf(award) ? html`<small class="condition">${conditionOf(award)}</small>` : nothing}</span>
          <small>${oddsOf(award)}</small>
        </li>`)}
    </ul>
  </section>`;

const oddsOf = ({ awardId }) => {
  const { rate, units } = state.odds?.awards.find((each) => each.awardId === awardId) ?? {};
  return units === undefined ? (rate === undefined ? '' : percent(rate)) : t('units', units);
};

function conditionOf(award) {
  if (award.soldOut) {
    return t('soldOut');
  }
  if (award.held) {
    return t('held');
  }
  if (award.reached) {
    return t('reached', award.maxPerUser);
  }
  return award.unlocked ? '' : t('unlock', award.drawsToUnlock);
}

/** Shows what earns chances, and the sign-ins of a player. */
const earningView = () => (state.earning.length === 0 ? nothing : html`
  <section class="card" aria-labelledby="earning">
    <h2 id="earning">${t('earning')}</h2>
    ${state.calendar ? calendarView(state.calendar) : nothing}
    <ul class="list earning">
      ${state.earning.map((way) => html`
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

function calendarView(calendar) {
  const isSigned = isSignedToday(calendar);
  return html`
    <div class="sign-in">
      <p aria-live="polite">${t('streak', calendar.streak)}</p>
      <button class="primary" ?disabled=${isSigned || state.phase !== ''} @click=${signIn}>
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

const winnersView = () => html`
  <section class="card" aria-labelledby="winners">
    <h2 id="winners"><span class="live" aria-hidden="true"></span>${t('winners')}</h2>
    ${state.winners.length === 0 ? html`<p class="hint">${t('noWinners')}</p>` : nothing}
    <ul class="list winners">
      ${state.winners.map((winner) => html`
        <li class=${winner.isNew ? 'new' : ''}>${icon(winner.type)}<span class="grow">${winner.title}</span>
          <small>${winner.name}</small></li>`)}
    </ul>
  </section>`;

const mineView = () => html`
  <section class="card" aria-labelledby="mine">
    <h2 id="mine">${t('mine')}</h2>
    ${state.wins?.length === 0 ? html`<p class="hint">${t('noMine')}</p>` : nothing}
    <ul class="list mine">
      ${(state.wins ?? []).map((win) => html`
        <li>
          ${icon(win.award.type)}
          <span class="grow">${nameOf(win.award)}
            <small>${claimed.has(win.awardRecordId) && win.state === 'WON' ? t('addressGiven') : t(win.state)} · ${time(win.wonAt)}</small></span>
          <span class="buttons">
            ${win.award.type === 'PHYSICAL' && win.state === 'WON' && !claimed.has(win.awardRecordId)
              ? html`<button class="primary" @click=${() => openClaim(win)}>${t('giveAddress')}</button>`
              : nothing}
            ${win.award.type === 'CODE' && win.state === 'GRANTED'
              ? html`<button class="primary" @click=${() => attempt(() => showCode(win))}>${t('showCode')}</button>`
              : nothing}
            ${win.award.type === 'TEXT' && win.state === 'GRANTED'
              ? html`<button class="text" aria-label="${t('showText')}: ${nameOf(win.award)}"
                  @click=${() => attempt(() => showText(win))}>${t('showText')}</button>`
              : nothing}
            <button class="quiet check" aria-label=${t('checkOf', nameOf(win.award))}
              @click=${() => attempt(() => checkWin(win))}>${t('checkShort')}</button>
          </span>
        </li>`)}
    </ul>
    ${state.next ? html`<button class="quiet" @click=${() => state.next && attempt(loadMore)}>${t('showMore')}</button>` : nothing}
  </section>`;

/* Dialogs */

function openClaim(win) {
  state.dialog = { kind: 'claim', awardRecordId: win.awardRecordId, title: nameOf(win.award), problem: '' };
  show();
}

function closeDialog() {
  if (state.dialog) {
    state.dialog = null;
    show();
  }
}

const closeBeside = (event) => event.target === event.currentTarget && closeDialog();

const DIALOGS = { claim: claimView, claimed: claimedView, code: codeView, text: textView, check: checkView };

const dialogView = () => (state.dialog ? html`<div class="sheet">${DIALOGS[state.dialog.kind](state.dialog)}</div>` : nothing);

const closeButton = () => html`<p class="buttons"><button @click=${closeDialog}>${t('close')}</button></p>`;

function claimView({ awardRecordId, title, problem }) {
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${t('whereTo')}</h2>
    <p class="hint">${title}</p>
    ${problem ? html`<p class="message" role="alert">${problem}</p>` : nothing}
    <form class="claim" @submit=${(event) => claim(event, awardRecordId)}>
      <label>${t('recipient')} <input name="name" required maxlength="100" autocomplete="name"></label>
      <label>${t('contactPhone')} <input name="phone" required maxlength="40" type="tel" autocomplete="tel"></label>
      <label class="wide">${t('address')}
        <input name="address" required maxlength="300" autocomplete="street-address"></label>
      <label>${t('postalCode')} <input name="postalCode" maxlength="20" autocomplete="postal-code"></label>
      <label>${t('note')} <input name="note" maxlength="200"></label>
      <div class="buttons wide">
        <button class="primary">${t('send')}</button>
        <button type="button" @click=${closeDialog}>${t('cancel')}</button>
      </div>
    </form>`;
}

function claimedView() {
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${t('claimed')}</h2>${closeButton()}`;
}

function textView({ title, text }) {
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
    <p class="said">${text}</p>
    ${closeButton()}`;
}

function codeView({ code, isCopied }) {
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    state.dialog.isCopied = true;
    show();
  };
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${t('yourCode')}</h2>
    <p><code class="code">${code}</code></p>
    <p class="buttons">
      ${navigator.clipboard
        ? html`<button class="primary" @click=${() => attempt(copy)}>${t(isCopied ? 'copied' : 'copy')}</button>`
        : nothing}
      <button @click=${closeDialog}>${t('close')}</button>
    </p>`;
}

function checkView({ proof, steps }) {
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${t('check')}</h2>
    <p class="hint">${steps.length > 0 ? t('checkIntro') : t('checkNoCrypto')}</p>
    <ol class="steps">${steps.map(stepView)}</ol>
    ${proof
      ? html`<h3>${t('why')}</h3>
          <ul class="why">${proof.why.map((reason) => html`<li>${reason}</li>`)}</ul>`
      : nothing}
    ${closeButton()}`;
}

function stepView({ title, text, more, values = [], agrees, isPending }) {
  const verdict = isPending ? 'pending' : agrees === undefined ? '' : agrees ? 'agrees' : 'differs';
  return html`
    <li class=${verdict}>
      <h3>${title} ${verdict ? html`<span class="tag">${t(verdict)}</span>` : nothing}</h3>
      <p>${text}</p>
      ${more ? html`<p class="hint">${more}</p>` : nothing}
      ${values.length > 0
        ? html`<dl>${values.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`
        : nothing}
    </li>`;
}

/* The start */

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
await route();
