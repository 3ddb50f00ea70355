/** The desk: everything that waits for a person, projections, the audit and bans. */

import { html, nothing } from '../lit-html.js';
import { call, read } from '../api.js';
import { money, number, percent, time } from '../language.js';
import { progressBar } from './charts.js';
import { paymentView, readPayments } from './payments.js';
import { ask, attempt, busy, has, note, reload, state, tell } from './state.js';
import { t, word } from './texts.js';

const OPS = '/api/v1/ops';
const PAGE = 50;

const recordPath = (id) => `${OPS}/award-records/${encodeURIComponent(id)}`;

/* Everything that waits */

export const waiting = {
  title: () => t('desk'),

  // It is read when somebody asks for it: the lottery notes who has read what about persons.

  async load() {
    const [persons, releases, rebates, payments, sagas, parked, letters, proposals] = await Promise.all([
      read(`${OPS}/grants?waitsFor=person&limit=${PAGE}`),
      read(`${OPS}/grants?waitsFor=release&limit=${PAGE}`),
      read(`${OPS}/rebates?limit=${PAGE}`),
      readPayments('ON_DESK'),
      read(`${OPS}/sagas?limit=${PAGE}`),
      read(`${OPS}/parked-events?limit=${PAGE}`),
      read(`${OPS}/dead-letters?limit=${PAGE}`),
      read(`${OPS}/proposals?state=PROPOSED&limit=100`),
    ]);
    proposals.items.forEach(({ proposalId }) => proposed.delete(proposalId));
    return {
      persons: persons.grants, releases: releases.grants, rebates: rebates.rebates, payments: payments.items,
      sagas: sagas.sagas,
      parked: parked.parkedEvents, letters: letters.deadLetters,
      proposals: [...proposed.values(), ...proposals.items],
    };
  },

  view(data) {
    const count = Object.values(data).reduce((sum, each) => sum + each.length, 0);
    return html`
      <div class="title"><h1 tabindex="-1">${t('desk')}</h1><button @click=${lookAgain}>${t('lookAgain')}</button></div>
      ${count === 0 ? html`<p class="card good">✓ ${t('nothingWaits')}</p>` : nothing}
      ${data.proposals.length > 0
        ? html`<p class="card"><a href="#/proposals">${t('proposals')}</a> <span class="tag">${data.proposals.length}</span></p>`
        : nothing}
      ${group('persons', data.persons, grantView)} ${group('releases', data.releases, grantView)}
      ${group('rebates', data.rebates, rebateView)} ${group('paymentsOnDesk', data.payments, paymentView)} ${group('sagas', data.sagas, sagaView)}
      ${group('parkedEvents', data.parked, parkedView)} ${group('deadLetters', data.letters, letterView)}`;
  },
};

function group(key, items, view) {
  if (items.length === 0) {
    return nothing;
  }
  return html`
    <section class="group" aria-labelledby=${key}>
      <h2 id=${key}>${t(key)} <span class="tag">${items.length}${items.length === PAGE ? '+' : ''}</span></h2>
      <p class="hint">${t(`${key}Hint`)}</p>
      <ul class="rows card">${items.map(view)}</ul>
    </section>`;
}

export const decision = (key, subject, act, more = {}) => html`
  <button class=${more.isGrave ? 'plain-grave' : ''} aria-label="${t(key)}: ${subject}" aria-disabled=${busy()}
    @click=${() => ask({ title: t(key), text: more.text ?? t(`sure_${key}`, subject), label: t(key), act, ...more })}>${t(key)}</button>`;

/** What was decided about since the desk was looked at. It stays in its list until the decision has come through. */
const settled = new Set();

function settle(key) {
  settled.add(key);
  note(t('decided'));
}

const decided = (key, asked) => async (reason) => {
  await asked(reason);
  settle(key);
};

/** What was proposed since the desk was looked at. The list of proposals may not have it yet. */
const proposed = new Map();

const proposalsOf = (subject) => state.data.proposals.filter((each) => each.action.subject === subject && each.state === 'PROPOSED');

/**
 * A decision that may need two persons: one proposes it, and sees that it waits.
 *
 * @param part what of the subject it is about, if there are several things to decide
 */
export function sharedDecision(key, kind, { name, subject, part, path, body = {}, isGrave = false }) {
  // A known person does not agree to a proposal of an unknown one: it is proposed anew.
  const isSame = (action) => action.kind === kind && action.keyId === part;
  if (proposalsOf(subject).some(({ action, proposedBy }) => isSame(action) && (proposedBy || !state.person.name))) {
    return nothing;
  }
  const act = async (reason) => {
    const { content } = await call('POST', path, { ...body, reason });
    if (content.state === 'PROPOSED') {
      proposed.set(content.proposalId, content);
      note(t('proposalWaits'));
    } else {
      settle(part ? `${subject} ${part}` : subject);
    }
  };
  return decision(key, name, act, { needsReason: true, isGrave, text: `${t(`sure_${key}`, name)} ${t('mayPropose')}` });
}

/** Says what a second person agrees to. */
export const actionText = ({ kind, subject, userId, amount, currency, businessNo, keyId, version, rule }) =>
  t(`act_${kind}`, userId, subject.slice(subject.indexOf(':') + 1), currency ? money({ amount, currency }) : amount ? number(amount) : version,
    rule ? ruleText(rule) : currency ? keyId : businessNo);

const ruleText = ({ behaviour, rebates, limit, streak }) =>
  [behaviour, ...rebates.map(rebateText), limit && t('ruleLimit', limit.count, t(limit.period)), streak && t('ruleStreak', streak)]
    .filter(Boolean).join(' · ');

/** Says what waits for a second person. */
export const proposedView = (subject) => proposalsOf(subject).map(({ action, proposedBy, reason, expiresAt }) => html`
  <small class="cause proposed"><span class="tag">${t('needsSecond')}</span> <a href="#/proposals">${actionText(action)}</a>
    ${[proposedBy && t('proposedBy', proposedBy), reason, t('untilTime', time(expiresAt))].filter(Boolean).join(' · ')}</small>`);

/** The buttons of something that waits, unless somebody has just decided about it, or only reads. */
export const choices = (key, buttons) => {
  if (settled.has(key)) {
    return html`<span class="tag">✓ ${t('settled')}</span>`;
  }
  return has('desk') ? buttons : nothing;
};

/** What is read next shows all decisions. */
export function forgetDecisions() {
  settled.clear();
  proposed.clear();
}

const lookAgain = () => {
  forgetDecisions();
  return attempt(reload);
};

function grantView(each) {
  const name = `${each.award.title} (${each.userId})`;
  const path = recordPath(each.awardRecordId);
  const key = each.awardRecordId;
  const remedy = (label, kind, how) =>
    sharedDecision(label, kind, { name, subject: key, path: `${path}/remedy`, body: { remedy: how } });
  return html`
    <li class="waits">
      <span class="grow"><strong>${each.award.title}</strong> <small>${t(each.type)} · ${each.userId} · ${t('activityNumber', each.activityId)}</small>
        <small class="cause">${each.cause}</small>${proposedView(key)}</span>
      <small class="when">${t('since', time(each.since))}</small>
      <span class="buttons">
        ${historyButton(key, name)}
        ${choices(key, each.waitsFor === 'RELEASE'
          ? decision('release', name, decided(key, () => call('POST', `${path}/release`)))
          : html`
            ${decision('invoice', name, decided(key, (reason) => call('POST', `${path}/invoices`, { reason })), { needsReason: true })}
            ${remedy('substitute', 'SUBSTITUTE_AWARD', 'SUBSTITUTE')} ${remedy('returnChance', 'RETURN_CHANCE', 'RETURN_CHANCE')}`)}
      </span>
    </li>`;
}

const rebateText = (rebate) =>
  rebate.kind === 'SKU' ? `SKU ${rebate.sku} · ${t('activityNumber', rebate.activityId)}` : t('credits', rebate.amount);

const rebateView = (each) => {
  const path = `${OPS}/rebates/${encodeURIComponent(each.behaviourId)}/${each.ruleId}/${each.index}`;
  const name = `${each.userId}, ${each.behaviour}`;
  const subject = `${each.behaviourId}:${each.ruleId}:${each.index}`;
  return html`
    <li class="waits">
      <span class="grow"><strong>${each.userId}</strong> <small>${each.behaviour} · ${t('ruleNumber', each.ruleId)} · ${rebateText(each.rebate)}</small>
        <small class="cause">${each.reason}</small>${proposedView(subject)}</span>
      <small class="when">${t('since', time(each.since))}</small>
      <span class="buttons">
        ${choices(subject, html`
          ${decision('retry', name, async () => {
            const { content } = await call('POST', `${path}/retry`);
            if (content.state === 'REFUSED') {
              note(t('stillRefused', content.reason));
            } else {
              settled.add(subject);
              note(t('decided'));
            }
          })}
          ${sharedDecision('drop', 'DROP_REBATE', { name, subject, path: `${path}/drop`, isGrave: true })}`)}
      </span>
    </li>`;
};

const sagaView = (each) => html`
  <li class="waits">
    <span class="grow"><strong>${word(`kind_${each.kind}`)}</strong> <small><code>${each.id}</code></small>
      ${each.cause ? html`<small class="cause">${each.cause}</small>` : nothing}</span>
    <small class="when">${each.failures > 0 ? t('failures', each.failures) : each.since ? t('since', time(each.since)) : nothing}${each.dueAt ? html`<br>${t('dueAt', time(each.dueAt))}` : nothing}</small>
    <span class="buttons">
      ${each.id.startsWith('award:') ? historyButton(each.id, each.id) : nothing}
      ${choices(each.id, decision('retry', each.id,
        decided(each.id, () => call('POST', `${OPS}/sagas/${each.kind}/${encodeURIComponent(each.id)}/retry`))))}
    </span>
  </li>`;

const parkedView = (each) => {
  const path = `${OPS}/parked-events/${encodeURIComponent(each.processor)}/${each.position}`;
  const name = `${each.processor} ${each.position}`;
  const subject = `parked-event:${each.processor}/${each.position}`;
  return html`
    <li class="waits">
      <span class="grow"><strong>${each.processor}</strong> <small>${each.event ?? ''} · ${each.subject ?? each.sequence} · ${t('eventsBehind', each.behind)}</small>
        <small class="cause">${each.cause}</small>${proposedView(subject)}</span>
      <small class="when">${t('attempts', each.attempts)}<br>${t('since', time(each.parkedAt))}</small>
      <span class="buttons">
        ${choices(subject, html`
          ${decision('retry', name, decided(subject, () => call('POST', `${path}/retry`)))}
          ${sharedDecision('drop', 'DROP_PARKED_EVENT', { name, subject, path: `${path}/drop`, isGrave: true })}`)}
      </span>
    </li>`;
};

const letterView = (each) => {
  const path = `${OPS}/dead-letters/${each.id}`;
  const name = `${each.topic} ${each.id}`;
  const subject = `dead-letter:${each.id}`;
  return html`
    <li class="waits">
      <span class="grow"><strong>${each.topic}</strong> <small>${each.key}</small>
        <small class="cause">${each.cause}</small> <code class="preview">${each.preview}</code>${proposedView(subject)}</span>
      <small class="when">${t('since', time(each.diedAt))}</small>
      <span class="buttons">
        ${choices(subject, html`
          ${decision('retry', name, decided(subject, () => call('POST', `${path}/retry`)))}
          ${sharedDecision('drop', 'DROP_DEAD_LETTER', { name, subject, path: `${path}/drop`, isGrave: true })}`)}
      </span>
    </li>`;
};

export const historyButton = (id, name) => html`
  <button aria-label="${t('history')}: ${name}" @click=${() => attempt(() => showHistory(id))}>${t('history')}</button>`;

async function showHistory(id) {
  const win = await read(`/api/v1/award-records/${encodeURIComponent(id)}`);
  tell(win.award.title, () => html`
    <p class="hint">${win.userId} · ${t('activityNumber', win.activityId)} · <code>${win.awardRecordId}</code></p>
    <ol class="timeline">
      ${win.history.map((step) => html`<li><strong>${t(`A_${step.state}`)}</strong><small>${time(step.at)}</small></li>`)}
    </ol>`);
}

/* Projections */

export const projections = {
  title: () => t('projections'),

  isLive: () => true,

  load: async () => (await read(`${OPS}/projections`)).items,

  view: (items) => html`
    <div class="title"><h1 tabindex="-1">${t('projections')}</h1></div>
    <p class="hint">${t('projectionsHint')}</p>
    <div class="card scroll"><table>
      <thead><tr><th scope="col">${t('name')}</th><th scope="col">${t('position')}</th><th scope="col">${t('lag')}</th>
        <th scope="col">${t('parkedEvents')}</th><th scope="col" class="chart">${t('replay')}</th></tr></thead>
      <tbody>${items.map(projectionView)}</tbody>
    </table></div>`,
};

const projectionView = (each) => html`
  <tr><th scope="row">${each.name}</th><td>${number(each.position)}</td>
    <td class=${each.lag > 1000 ? 'refuses' : ''}>${number(each.lag)}</td><td>${each.parked}</td>
    <td class="chart">${each.replay
      ? each.replay.failedBecause
        ? html`<span class="refuses">${each.replay.failedBecause}</span>`
        : html`${progressBar(each.replay.percent, 100, `${t('replay')}: ${each.name}`)}
            <small>${percent(each.replay.percent / 100)}${each.replay.secondsLeft === undefined ? '' : ` · ${t('secondsLeft', number(each.replay.secondsLeft))}`}</small>`
      : each.replayable && has('operator')
        ? decision('replay', each.name, async () => {
            await call('POST', `${OPS}/projections/${encodeURIComponent(each.name)}/replay`);
            note(t('replayBegun', each.name));
          })
        : nothing}</td></tr>`;

/* The audit */

export const audit = {
  title: () => t('audit'),

  async load(data) {
    const filter = data?.filter ?? { actor: '', subject: '' };
    const query = Object.entries(filter).filter(([, value]) => value !== '').map(([key, value]) => `&${key}=${encodeURIComponent(value)}`);
    const [{ entries, next }, { decisions }] = await Promise.all([
      read(`${OPS}/audit?limit=${PAGE}${query.join('')}`),
      read(`${OPS}/decisions?limit=${PAGE}`),
    ]);
    return { filter, entries, next, decisions };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('audit')}</h1></div>
    <form class="card inline" @submit=${(event) => search(event)}>
      <label><span>${t('actor')}</span><input name="actor" maxlength="200" .value=${data.filter.actor}></label>
      <label><span>${t('subject')}</span><input name="subject" maxlength="200" placeholder="activity:100" .value=${data.filter.subject}></label>
      <button>${t('search')}</button>
    </form>
    <div class="columns">
      <section class="card" aria-labelledby="entries">
        <h2 id="entries">${t('audit')}</h2>
        ${data.entries.length === 0 ? html`<p class="hint">${t('nobody')}</p>` : nothing}
        <ul class="list">
          ${data.entries.map((each) => html`
            <li><span class="grow"><strong>${each.actor}</strong> <small>${each.role ? word(each.role) : ''}</small>
                <small class="cause">${each.type} · ${each.subject}</small></span><small class="when">${time(each.at)}</small></li>`)}
        </ul>
        ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}
      </section>
      <section class="card" aria-labelledby="decisions">
        <h2 id="decisions">${t('decisions')}</h2>
        ${data.decisions.length === 0 ? html`<p class="hint">${t('nobody')}</p>` : nothing}
        <ul class="list">
          ${data.decisions.map((each) => html`
            <li><span class="grow"><strong>${each.actor ?? ''}</strong> <small>${word(`D_${each.action}`)}</small>
                <small class="cause">${each.subject}${each.reason ? ` · ${each.reason}` : ''}</small></span><small class="when">${time(each.at)}</small></li>`)}
        </ul>
      </section>
    </div>`,
};

const search = (event) => {
  event.preventDefault();
  const { actor, subject } = event.target.elements;
  return attempt(async () => {
    state.data = await audit.load({ filter: { actor: actor.value.trim(), subject: subject.value.trim() } });
  });
};

async function more(data) {
  const query = Object.entries(data.filter).filter(([, value]) => value !== '').map(([key, value]) => `&${key}=${encodeURIComponent(value)}`);
  const { entries, next } = await read(`${OPS}/audit?limit=${PAGE}&cursor=${encodeURIComponent(data.next)}${query.join('')}`);
  Object.assign(data, { entries: [...data.entries, ...entries], next });
}

/* Bans */

export const bans = {
  title: () => t('bans'),

  load: () => read(`/api/v1/bans?limit=${PAGE}`),

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('bans')}</h1></div>
    <p class="hint">${t('bansHint')}</p>
    ${has('desk') ? banForms() : nothing}
    <section class="group" aria-labelledby="banned">
      <h2 id="banned">${t('banned')}</h2>
      ${data.items.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
      <ul class="rows card">
        ${data.items.map((each) => html`
          <li><span class="grow"><strong>${each.userId}</strong> <small class="cause">${each.reason}</small></span>
            <small class="when">${each.until ? t('untilTime', time(each.until)) : t('untilLifted')}</small>
            ${has('desk') ? html`<button aria-label="${t('lift')}: ${each.userId}" @click=${() => askToLift(each.userId)}>${t('lift')}</button>` : nothing}</li>`)}
      </ul>
      ${data.next ? html`<button class="quiet" @click=${() => attempt(() => moreBans(data))}>${t('showMore')}</button>` : nothing}
    </section>`,
};

async function moreBans(data) {
  const { items, next } = await read(`/api/v1/bans?limit=${PAGE}&cursor=${encodeURIComponent(data.next)}`);
  Object.assign(data, { items: [...data.items, ...items], next });
}

const banForms = () => html`
    <div class="columns">
      <section class="card" aria-labelledby="ban">
        <h2 id="ban">${t('ban')}</h2>
        <form class="fields" @submit=${ban}>
          <label><span>${t('user')}</span><input name="user" required maxlength="64" autocomplete="off"></label>
          <label><span>${t('banUntil')}</span><input name="until" type="datetime-local"><small>${t('noEnd')}</small></label>
          <div class="buttons wide"><button class="plain-grave">${t('ban')}</button></div>
        </form>
      </section>
      <section class="card" aria-labelledby="lift">
        <h2 id="lift">${t('lift')}</h2>
        <form class="fields" @submit=${lift}>
          <label><span>${t('user')}</span><input name="user" required maxlength="64" autocomplete="off"></label>
          <div class="buttons wide"><button>${t('lift')}</button></div>
        </form>
      </section>
    </div>`;

const banPath = (user) => `/api/v1/users/${encodeURIComponent(user)}/ban`;

function ban(event) {
  event.preventDefault();
  const { user, until } = event.target.elements;
  const name = user.value.trim();
  const end = until.value ? new Date(until.value).toISOString() : undefined;
  ask({
    title: t('ban'),
    text: end ? t('sure_banUntil', name, time(end)) : t('sure_ban', name),
    label: t('ban'),
    isGrave: true,
    needsReason: true,
    act: async (reason) => {
      await call('POST', banPath(name), { reason, until: end });
      note(t('isBanned', name));
    },
  });
}

function lift(event) {
  event.preventDefault();
  askToLift(event.target.elements.user.value.trim());
}

function askToLift(name) {
  ask({
    title: t('lift'),
    text: t('sure_lift', name),
    label: t('lift'),
    act: async () => {
      await call('DELETE', banPath(name));
      note(t('isLifted', name));
    },
  });
}
