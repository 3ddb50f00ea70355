/** Activities: the list by state, one with its next actions, and the form by which it is described. */

import { html, nothing } from '../lit-html.js';
import { Refusal, Unreachable, call, follow, read, readAfter } from '../api.js';
import { isZone, money, number, percent, time } from '../language.js';
import { progressBar } from './charts.js';
import { differences, differencesView } from './differences.js';
import { addRow, check, field, idOf, instantOf, localTime, numberOr, problemsOf, removeRow, showFindings, summary, textOr, whole } from './forms.js';
import { ask, attempt, busy, go, has, note, show, state } from './state.js';
import { t, word } from './texts.js';

const ORDER = ['ARRAIGNED', 'EDIT', 'REFUSED', 'PASSED', 'DOING', 'PAUSED', 'OPENED', 'CLOSED'];
const PAGE = 100;
const ACTIONS = ['submit', 'pass', 'refuse', 'revoke', 'start', 'pause', 'resume', 'close', 'open', 'adopt'];
const GRAVE = ['pause', 'close', 'refuse'];
const NEXT = ['submit', 'pass', 'start', 'resume', 'adopt'];
const DRAWS_USUAL = { users: 1_000, drawsPerUser: 5 };

export const pathOf = (id) => `/api/v1/activities/${id}`;

/** The position of the last change of this visit, so that what is read next shows it. */
let position = null;

const mayCheck = () => has('operator', 'approver');
const mayReview = () => has('operator', 'approver', 'auditor');

export const stateTag = (name) => html`<span class="tag ${name}">${t(name)}</span>`;

/* The list */

export const list = {
  title: () => t('activities'),

  async load(data) {
    const { items, next } = await readAfter(`/api/v1/activities?limit=${PAGE}`, position);
    const more = data?.isMore ? data.items : [];
    return { items: [...more, ...items], next };
  },

  view: ({ items, next }) => html`
    <div class="title">
      <h1 tabindex="-1">${t('activities')}</h1>
      ${has('operator') ? html`<a class="button primary" href="#/activities/new">${t('newActivity')}</a>` : nothing}
    </div>
    ${items.length === 0 ? html`<p class="card hint">${t('noActivities')}</p>` : nothing}
    ${ORDER.filter((name) => items.some((each) => each.state === name)).map((name) => groupView(name, items))}
    ${next ? html`<p class="hint">${t('onlyNewest', PAGE)}</p>` : nothing}`,
};

export function groupView(name, items) {
  const own = items.filter((each) => each.state === name);
  return html`
    <section class="group" aria-labelledby="state-${name}">
      <h2 id="state-${name}">${stateTag(name)} <small>${t(`next_${name}`)}</small></h2>
      <ul class="rows card">
        ${own.map((each) => html`
          <li>
            <a class="grow" href="#/activities/${each.activityId}">${each.name}</a>
            <small class="number">${each.activityId}</small>
            <small class="when">${time(each.beginsAt, each.zone)} – ${time(each.endsAt, each.zone)}</small>
            ${['DOING', 'PAUSED', 'CLOSED'].includes(name)
              ? html`<a class="button" href="#/activities/${each.activityId}/board" aria-label="${t('board')}: ${each.name}">${t('board')}</a>`
              : nothing}
          </li>`)}
      </ul>
    </section>`;
}

/* One activity */

const strategyPath = (id, version) => `/api/v1/strategies/${id}${version ? `?version=${version}` : ''}`;

const orNull = (asked) =>
  asked.catch((failure) => {
    if (failure instanceof Refusal && failure.status !== 401) {
      return null;
    }
    throw failure;
  });

export const detail = {
  title: ({ activity }) => activity.name,

  // It starts by itself soon.
  isLive: (data) => data?.activity.state === 'PASSED',

  async load(id, shown) {
    const path = pathOf(id);
    const [known, review] = await Promise.all([
      readAfter(path, position),
      mayReview() ? read(`${path}/review`) : null,
    ]);
    // The read model may still be behind; the log is not. What is shown is what a decision names.
    const activity = review ? { ...asDefined(known, review.definition), state: review.state } : known;
    const newest = review?.strategyVersion;
    const approved = review?.passed?.strategyVersion;
    const [strategy, before] = await Promise.all([
      newest ? orNull(read(strategyPath(activity.strategyId, newest))) : null,
      newest && approved && approved !== newest
        ? orNull(read(strategyPath(review.passed.definition.strategyId, approved)))
        : null,
    ]);
    const data = { activity, review, strategy, before, verification: shown?.verification ?? null };
    data.checks = shown?.checks ?? (mayCheck() ? startChecks(id) : null);
    return data;
  },

  view: ({ activity, review, checks, strategy, before, verification }) => html`
    <p class="back"><a href="#/activities">← ${t('activities')}</a></p>
    <div class="title">
      <h1 tabindex="-1">${activity.name}</h1>${stateTag(activity.state)}
    </div>
    ${activity.description ? html`<p class="lead">${activity.description}</p>` : nothing}
    ${actionsView(activity, review, strategy)}
    <div class="columns">
      <div class="column">
        ${factsView(activity, review)} ${offersView(activity)}
        ${has('auditor') && (activity.rounds ?? []).length > 0 ? verificationView(activity, verification) : nothing}
      </div>
      <div class="column">
        ${checks ? checksView(checks) : nothing}
        ${review ? changesView(review, strategy, before) : nothing}
        ${strategy ? awardsView(activity, followed(activity, strategy, before)) : nothing}
        ${strategy ? codesView(activity, followed(activity, strategy, before)) : nothing}
      </div>
    </div>`,
};

/** What is public about an activity beside its definition: rounds, and what is left of each offer. */
function asDefined(known, definition) {
  const left = new Map(known.skus.map((each) => [each.sku, each.stockLeft]));
  return {
    activityId: known.activityId,
    strategyVersion: known.strategyVersion,
    rounds: known.rounds,
    heldAwards: known.heldAwards,
    ...definition,
    skus: (definition.skus ?? []).map((each) => ({ ...each, stockLeft: left.get(each.sku) })),
  };
}

const preflight = async (id) => (await call('POST', `${pathOf(id)}/preflight`, DRAWS_USUAL)).content;

/** The checks take a while, so that the page is there before them. */
function startChecks(id) {
  const checks = { report: null, hasFailed: false };
  preflight(id)
    .then((report) => {
      checks.report = report;
    }, () => {
      checks.hasFailed = true;
    })
    .finally(show);
  return checks;
}

function actionsView(activity, review, strategy) {
  const actions = review?.actions ?? [];
  const isDraft = activity.state === 'EDIT';
  const mine = actions.filter((each) => each.yours && (each.action !== 'adopt' || canAdopt(review))).map((each) => each.action);
  const others = actions.filter((each) => !each.yours && each.action === 'pass');
  return html`
    <div class="buttons actions">
      ${isDraft && has('operator')
        ? html`<a class="button" href="#/activities/${activity.activityId}/edit">${t('edit')}</a>`
        : nothing}
      ${ACTIONS.map((action) => (mine.includes(action) ? actionButton(activity, review, strategy, action) : nothing))}
      ${['DOING', 'PAUSED', 'CLOSED', 'OPENED'].includes(activity.state)
        ? html`<a class="button" href="#/activities/${activity.activityId}/board">${t('board')}</a>`
        : nothing}
      ${others.length > 0 ? html`<p class="hint">${t('needsOther')}</p>` : nothing}
    </div>`;
}

/** Each action has a button of its own: one that has the focus never becomes another one. */
const actionButton = (activity, review, strategy, action) => html`
  <button class="${GRAVE.includes(action) ? 'plain-grave' : NEXT.includes(action) ? 'primary' : ''}" name=${action} aria-disabled=${busy()}
    @click=${() => decide(activity, review, strategy, action)}>${t(`do_${action}`)}</button>`;

const canAdopt = (review) => review.passed && review.strategyVersion !== review.passed.strategyVersion;

function decide(activity, review, strategy, action) {
  const version = { pass: review.strategyVersion, adopt: review.strategyVersion }[action];
  const definitionVersion = action === 'pass' ? review.definitionVersion : undefined;
  const texts = [html`<p>${t(`sure_${action}`, activity.name)}</p>`];
  if (version && strategy) {
    texts.push(html`<p class="hint">${t('strategyVersionIs', activity.strategyId, version)}</p>`);
  }
  ask({
    title: t(`do_${action}`),
    text: () => texts,
    label: t(`do_${action}`),
    isGrave: GRAVE.includes(action),
    act: async () => {
      const answer = await call('POST', `${pathOf(activity.activityId)}/transitions`, { action, strategyVersion: version, definitionVersion });
      position = answer.position;
      note(t('isNow', t(answer.content.state)));
    },
  });
}

const fact = (name, value) => (value === undefined || value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`);

const factsView = (activity, review) => html`
  <section class="card" aria-labelledby="facts">
    <h2 id="facts">${t('facts')}</h2>
    <dl class="facts">
      ${fact(t('activityId'), activity.activityId)}
      ${fact(t('beginsAt'), time(activity.beginsAt, activity.zone))}
      ${fact(t('endsAt'), time(activity.endsAt, activity.zone))}
      ${fact(t('zone'), activity.zone)}
      ${fact(t('strategyId'), has('operator', 'approver', 'auditor')
        ? html`<a href="#/strategies/${activity.strategyId}">${activity.strategyId}</a>`
        : activity.strategyId)}
      ${fact(t('strategyVersion'), review?.passed?.strategyVersion ?? activity.strategyVersion)}
      ${fact(t('participationsMax'), activity.participationsMax && number(activity.participationsMax))}
      ${fact(t('budget'), activity.budget && budgetText(activity.budget))}
      ${fact(t('audience'), activity.audience && html`<a href="#/trees/${activity.audience}">${activity.audience}</a>`)}
      ${fact(t('keysRequired'), activity.keysRequired ? '✓' : undefined)}
      ${fact(t('queued'), activity.queued ? '✓' : undefined)}
      ${fact(t('entriesCloseAt'), activity.draw && time(activity.draw.entriesCloseAt, activity.zone))}
      ${fact(t('drawAt'), activity.draw && time(activity.draw.drawAt, activity.zone))}
      ${fact(t('writers'), review?.writers.length ? review.writers.join(', ') : undefined)}
      ${fact(t('submittedBy'), review?.submittedBy)}
    </dl>
    ${(activity.rounds ?? []).map((round) => html`
      <p class="hint commitment">${t('round', round.round)} <code>${round.commitment}</code></p>`)}
  </section>`;

const chances = ({ total, month, day }) => t('chances', total, month, day);

const offersView = (activity) => html`
  <section class="card" aria-labelledby="offers">
    <h2 id="offers">${t('offers')}</h2>
    <ul class="list">
      ${activity.free ? html`<li><span class="grow">${t('free')}</span><small>${chances(activity.free)}</small></li>` : nothing}
      ${activity.skus.map((each) => html`
        <li><span class="grow">${each.title ?? `SKU ${each.sku}`}
            <small>${[each.entitlement && t('content', each.entitlement), each.priceCredits && t('forCredits', each.priceCredits), each.price && money(each.price), each.stock && t('leftOf', each.stockLeft ?? each.stock, each.stock)]
              .filter(Boolean).join(' · ')}</small></span>
          <small>${each.total > 0 ? chances(each) : nothing}</small></li>`)}
    </ul>
  </section>`;

const checksView = ({ report, hasFailed }) => html`
  <section class="card" aria-labelledby="checks">
    <h2 id="checks">${t('checks')}</h2>
    <div role="status">
      ${report ? reportView(report) : html`<p class=${hasFailed ? 'refuses' : 'hint'}>${t(hasFailed ? 'noChecks' : 'checksRun')}</p>`}
    </div>
  </section>`;

const reportView = (report) => html`
    ${report.findings.length === 0 ? html`<p class="good">✓ ${t('noFindings')}</p>` : nothing}
    <ul class="found">
      ${report.findings.map((each) => html`
        <li class=${each.severity === 'WARNS' ? 'warns' : 'refuses'}>${each.message} <code>${each.pointer}</code></li>`)}
    </ul>
    ${report.expected
      ? html`<p class="hint">${t('expected', number(report.expected.draws), number(Number(report.expected.cost.mean)))}</p>`
      : nothing}`;

function changesView(review, strategy, before) {
  const isRevised = review.passed && differences(review.passed.definition, review.definition).length > 0;
  if (!isRevised && !before && !(review.passed && review.state === 'ARRAIGNED')) {
    return nothing;
  }
  const isOther = strategy && before && strategy.version !== before.version;
  return html`
    <section class="card" aria-labelledby="changes">
      <h2 id="changes">${t('changes')}</h2>
      <p class="hint">${t('changesHint')}</p>
      ${isRevised || !isOther ? differencesView(review.passed.definition, review.definition) : nothing}
      ${isOther
        ? html`<h3>${t('strategyChanges', before.version, strategy.version)}</h3>
            ${differencesView(before.definition, strategy.definition)}`
        : nothing}
    </section>`;
}

/** Returns the version whose awards are given: the passed one while it is in use, and the newest one otherwise. */
const followed = (activity, strategy, before) => (HOLDABLE.includes(activity.state) ? before ?? strategy : strategy);

const awardsView = (activity, { definition, version }) => html`
  <section class="card" aria-labelledby="awards">
    <h2 id="awards">${t('awardsOf', version)}</h2>
    <ul class="list">
      ${definition.awards.map((award) => html`
        <li><span class="grow">${award.title} <small>${t(award.type)}${award.stock ? ` · ${t('pieces', award.stock)}` : ''}</small></span>
          <small>${percent(award.rate)}</small>
          ${isHeld(activity, award) ? html`<span class="tag warns">${t('heldAward')}</span>` : nothing}
          ${has('operator') && HOLDABLE.includes(activity.state) && !activity.draw ? holdButton(activity, award) : nothing}</li>`)}
    </ul>
  </section>`;

/** The states in which draws are made, or may be made soon. */
const HOLDABLE = ['PASSED', 'DOING', 'PAUSED', 'OPENED'];

const isHeld = (activity, award) => (activity.heldAwards ?? []).includes(award.awardId);

function holdButton(activity, award) {
  const action = isHeld(activity, award) ? 'release' : 'hold';
  const label = t(`${action}Award`);
  const path = `${pathOf(activity.activityId)}/awards/${award.awardId}/${action}`;
  return html`
    <button class=${action === 'hold' ? 'plain-grave' : ''} aria-label="${label}: ${award.title}" aria-disabled=${busy()}
      @click=${() => ask({
        title: label,
        text: t(`sure_${action}Award`, award.title),
        label,
        isGrave: action === 'hold',
        needsReason: true,
        act: async (reason) => {
          const answer = await call('POST', path, { reason });
          position = answer.position;
          note(t(answer.content.held ? 'isHeld' : 'isReleased', award.title));
        },
      })}>${label}</button>`;
}

/* The verification of all draws */

const verificationView = (activity, verification) => html`
  <section class="card" aria-labelledby="verification">
    <h2 id="verification">${t('verification')}</h2>
    <p class="hint">${t('verificationHint')}</p>
    <div class="buttons">
      <button @click=${() => verify(activity)} ?disabled=${verification?.isRunning}>${t('verify')}</button>
      <a class="button" href="${pathOf(activity.activityId)}/draws/export" download>${t('exportDraws')}</a>
    </div>
    <div role="status">
      ${verification?.isRunning
        ? html`<p>${t('verifying', number(verification.draws))} ${progressBar(verification.events, Math.max(1, verification.of), t('progress'))}</p>`
        : nothing}
      ${verification?.result ? verdictView(verification.result) : nothing}
    </div>
  </section>`;

const verdictView = ({ draws, agreed, unseeded, differing, complete }) => html`
  <p class=${complete && differing.length === 0 ? 'good' : 'refuses'}>
    ${t('verified', number(draws), number(agreed), number(unseeded))} ${complete ? nothing : t('incomplete')}</p>
  <ul>${differing.map((each) => html`<li><code>${each.orderId}</code></li>`)}</ul>`;

async function verify(activity) {
  const verification = { isRunning: true, draws: 0, events: 0, of: 0, result: null };
  state.data.verification = verification;
  await attempt(async () => {
    await follow(`${pathOf(activity.activityId)}/verifications`, {}, (name, content) => {
      if (name === 'progress') {
        Object.assign(verification, content);
      } else if (name === 'result') {
        verification.result = content;
      }
      show();
    });
    if (!verification.result) {
      // The answer was cut off.
      throw new Unreachable();
    }
  });
  verification.isRunning = false;
  show();
}

/* Codes */

function codesView(activity, { definition }) {
  const awards = definition.awards.filter((each) => each.type === 'CODE');
  if (awards.length === 0) {
    return nothing;
  }
  return html`
    <section class="card" aria-labelledby="codes">
      <h2 id="codes">${t('codes')}</h2>
      <ul class="list">
        ${awards.map((award) => html`
          <li><span class="grow">${award.title}</span>
            <button @click=${() => countCodes(activity, award)}>${t('countCodes')}</button>
            ${has('operator') ? html`<button @click=${() => uploadCodes(activity, award)}>${t('uploadCodes')}</button>` : nothing}</li>`)}
      </ul>
    </section>`;
}

const codesPath = (activity, award) => `${pathOf(activity.activityId)}/award-codes/${award.awardId}`;

const countCodes = (activity, award) =>
  attempt(async () => {
    const { free, given } = await read(codesPath(activity, award));
    note(t('codesLeft', award.title, free, given));
  });

function uploadCodes(activity, award) {
  const model = { codes: '' };
  ask({
    title: t('uploadCodes'),
    text: () => html`<p>${award.title}</p>${field({}, model, 'codes', t('codesHint'), { type: 'textarea', rows: 8, wide: true, isRequired: true })}`,
    label: t('uploadCodes'),
    act: async () => {
      const codes = model.codes.split('\n').map((each) => each.trim()).filter(Boolean);
      const { content } = await call('POST', codesPath(activity, award), { codes });
      note(t('codesAdded', content.added, content.free));
    },
  });
}

const budgetText = ({ amount, perDay, onReached }) =>
  [amount, perDay && t('budgetEachDay', perDay), t(`B_${onReached}`)].filter(Boolean).join(' · ');

/* The form */

const USUAL = () => ({
  name: '', description: '', zone: 'Asia/Shanghai', beginsAt: '', endsAt: '', strategyId: '', participationsMax: '', audience: '', keysRequired: false,
  budget: { amount: '', perDay: '', onReached: 'FALLBACK' },
  free: { total: '', month: '', day: '' }, skus: [],
});

function modelOf(definition) {
  const free = definition.free ?? { total: '', month: '', day: '' };
  return {
    ...definition,
    // Nobody can read these on a clock that the browser does not know: an operator sets them again, with a zone.
    beginsAt: isZone(definition.zone) ? localTime(definition.beginsAt, definition.zone) : '',
    endsAt: isZone(definition.zone) ? localTime(definition.endsAt, definition.zone) : '',
    free: { ...free },
    budget: { ...USUAL().budget, ...definition.budget },
    skus: (definition.skus ?? []).map((each) => ({
      ...each, price: each.price?.amount, currency: each.price?.currency ?? 'CNY', max: each.perUser?.max, period: each.perUser?.period ?? 'DAY',
    })),
  };
}

const bundleOf = (model) => ({ total: numberOr(model.total), month: numberOr(model.month), day: numberOr(model.day) });

const documentOf = (model) => ({
  activityId: numberOr(model.activityId),
  name: model.name.trim(),
  description: textOr(model.description),
  zone: model.zone,
  beginsAt: instantOf(model.beginsAt, model.zone),
  endsAt: instantOf(model.endsAt, model.zone),
  strategyId: numberOr(model.strategyId),
  participationsMax: numberOr(model.participationsMax),
  audience: numberOr(model.audience),
  keysRequired: model.keysRequired || undefined,
  // The form does not show these, and keeps them.
  queued: model.queued || undefined,
  draw: model.draw ?? undefined,
  budget: textOr(model.budget.amount) || textOr(model.budget.perDay)
    ? { amount: textOr(model.budget.amount), perDay: textOr(model.budget.perDay), onReached: model.budget.onReached }
    : undefined,
  free: textOr(model.free.total) || textOr(model.free.month) || textOr(model.free.day) ? bundleOf(model.free) : undefined,
  skus: model.skus.map((each) => ({
    sku: numberOr(each.sku),
    title: textOr(each.title),
    ...bundleOf(each),
    stock: numberOr(each.stock),
    priceCredits: textOr(each.priceCredits),
    price: textOr(each.price) ? { amount: textOr(each.price), currency: textOr(each.currency) } : undefined,
    entitlement: textOr(each.entitlement),
    perUser: textOr(each.max) ? { max: numberOr(each.max), period: each.period } : undefined,
  })),
});

async function freeNumber() {
  const { items } = await read(`/api/v1/activities?limit=${PAGE}`);
  return { id: Math.max(100, ...items.map((each) => each.activityId)) + 1, strategies: items.map((each) => each.strategyId) };
}

export const form = {
  keepsInput: true,

  title: (data) => (data.id ? t('edit') : t('newActivity')),

  async load(id) {
    if (!id) {
      const { id: activityId, strategies } = await freeNumber();
      return { id: null, model: { ...USUAL(), activityId, strategyId: strategies[0] ?? '' }, problems: null };
    }
    const [review, report] = await Promise.all([read(`${pathOf(id)}/review`), orNull(preflight(id))]);
    return { id, version: review.definitionVersion, model: modelOf(review.definition), problems: problemsOf(report?.findings ?? []) };
  },

  view(data) {
    const { id, model } = data;
    return html`
      <p class="back"><a href=${id ? `#/activities/${id}` : '#/activities'}>← ${id ? model.name : t('activities')}</a></p>
      <h1 tabindex="-1">${id ? t('edit') : t('newActivity')}</h1>
      ${summary(data)}
      <form class="sheet-form" @submit=${(event) => save(event, data)}>
        <section class="card fields" aria-labelledby="what">
          <h2 id="what" class="wide">${t('facts')}</h2>
          ${whole(data, model, 'activityId', t('activityId'), { isRequired: true, isFixed: Boolean(id) })}
          ${field(data, model, 'name', t('activityName'), { isRequired: true, maxlength: 100 })}
          ${field(data, model, 'description', t('description'), { type: 'textarea', maxlength: 2000, wide: true })}
          ${field(data, model, 'beginsAt', t('beginsAt'), { type: 'datetime-local', step: 'any', isRequired: true })}
          ${field(data, model, 'endsAt', t('endsAt'), { type: 'datetime-local', step: 'any', isRequired: true })}
          ${field(data, model, 'zone', t('zone'), { isRequired: true, hint: isZone(model.zone) ? '' : t('noZone') })}
          ${whole(data, model, 'strategyId', t('strategyId'), { isRequired: true })}
          ${whole(data, model, 'participationsMax', t('participationsMax'), { hint: t('noLimit') })}
          ${whole(data, model, 'audience', t('audience'), { hint: t('audienceHint') })}
          ${check(model, 'keysRequired', t('keysRequired'))}
        </section>
        <section class="card fields" aria-labelledby="budget" id=${idOf('/budget')}>
          <h2 id="budget" class="wide">${t('budget')}</h2>
          <p class="hint wide">${t('budgetHint')}</p>
          ${field(data, model.budget, 'amount', t('budgetAmount'), { base: '/budget', inputmode: 'decimal', hint: t('noLimit') })}
          ${field(data, model.budget, 'perDay', t('budgetPerDay'), { base: '/budget', inputmode: 'decimal', hint: t('noLimit') })}
          ${field(data, model.budget, 'onReached', t('onReached'), { base: '/budget', options: ['FALLBACK', 'PAUSE'].map((each) => [each, t(`B_${each}`)]) })}
        </section>
        <section class="card fields" aria-labelledby="free">
          <h2 id="free" class="wide">${t('free')}</h2>
          ${whole(data, model.free, 'total', t('inTotal'), { base: '/free' })}
          ${whole(data, model.free, 'month', t('perMonth'), { base: '/free' })}
          ${whole(data, model.free, 'day', t('perDay'), { base: '/free' })}
        </section>
        <section class="card" aria-labelledby="skus">
          <h2 id="skus">${t('skus')}</h2>
          <p class="hint">${t('skusHint')}</p>
          <div class="row-list">
            ${model.skus.map((sku, i) => skuView(data, sku, i))}
            <button type="button" class="add" @click=${(event) => addRow(event, model.skus, nextSku(model))}>${t('addSku')}</button>
          </div>
        </section>
        <div class="buttons"><button class="primary" aria-disabled=${busy()} ?disabled=${!isZone(model.zone)}>${t('save')}</button></div>
      </form>`;
  },
};

function skuView(data, sku, i) {
  const base = `/skus/${i}`;
  return html`
    <fieldset class="fields row" id=${idOf(base)}>
      <legend>${sku.title || `SKU ${sku.sku}`}</legend>
      ${whole(data, sku, 'sku', t('sku'), { base, isRequired: true })}
      ${field(data, sku, 'title', t('title'), { base, maxlength: 100 })}
      ${whole(data, sku, 'total', t('inTotal'), { base, hint: t('chancesOrContent') })}
      ${whole(data, sku, 'month', t('perMonth'), { base })}
      ${whole(data, sku, 'day', t('perDay'), { base })}
      ${field(data, sku, 'entitlement', t('contentId'), { base, maxlength: 64 })}
      ${whole(data, sku, 'stock', t('stock'), { base, hint: t('noLimit') })}
      ${field(data, sku, 'priceCredits', t('priceCredits'), { base, inputmode: 'decimal' })}
      ${field(data, sku, 'price', t('priceMoney'), { base, inputmode: 'decimal' })}
      ${field(data, sku, 'currency', t('currency'), { base, at: 'price/currency', maxlength: 3 })}
      ${whole(data, sku, 'max', t('perUserMax'), { base, at: 'perUser/max', hint: t('noLimit') })}
      ${field(data, sku, 'period', t('period'), { base, at: 'perUser/period', options: ['DAY', 'MONTH', 'EVER'].map((each) => [each, word(each)]) })}
      <button type="button" class="quiet remove" @click=${(event) => removeRow(event, data.model.skus, i)}>${t('removeOf', sku.title || `SKU ${sku.sku}`)}</button>
    </fieldset>`;
}

function nextSku(model) {
  const sku = Math.max(Number(model.activityId) * 10, ...model.skus.map((each) => Number(each.sku))) + 1;
  return { sku, title: '', total: 1, month: 1, day: 1, entitlement: '', stock: '', priceCredits: '', price: '', currency: 'CNY', max: '', period: 'DAY' };
}

async function save(event, data) {
  event.preventDefault();
  const form = documentOf(data.model);
  await attempt(async () => {
    data.problems = null;
    try {
      const answer = data.id
        ? await call('PUT', pathOf(data.id), form, data.version ? { 'If-Match': `"${data.version}"` } : {})
        : await call('POST', '/api/v1/activities', form);
      position = answer.position;
      go(`#/activities/${form.activityId}`);
    } catch (failure) {
      showFindings(data, failure);
    }
  });
}

