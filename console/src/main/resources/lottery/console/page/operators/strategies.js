/** Strategies: the editor of awards, odds, tiers, blacklist and decision tree. */

import { html, nothing, svg } from '../lit-html.js';
import { call, read } from '../api.js';
import { percent } from '../language.js';
import { addRow, check, checks, field, idOf, numberOr, problemsAt, removeRow, showFindings, summary, textOr, whole } from './forms.js';
import { attempt, busy, go, has, note, show } from './state.js';
import { t } from './texts.js';
import { treeForm, treeModel, treeView } from './tree.js';

const PAGE = 100;
/** Rates are added up exactly: as whole numbers of this many digits behind the point. */
const DIGITS = 18;
const ONE = 10n ** BigInt(DIGITS);
const TYPES = ['TEXT', 'CREDIT', 'COUPON', 'CODE', 'PHYSICAL', 'ENTITLEMENT', 'OTHER'];
/** The key of what fulfilment needs to know of a type of award. */
const CONFIG_KEYS = { TEXT: 'text', CREDIT: 'credits', COUPON: 'url', PHYSICAL: 'claimDays', ENTITLEMENT: 'contentId', OTHER: 'kind' };
const MATTERS = ['lock', 'stock', 'award', 'drawsBefore', 'drawsBeforeToday'];
const RESULTS = ['WIN', 'FALLBACK', 'NOTHING'];
const VALUES = { lock: ['open', 'locked'], stock: ['left', 'soldOut'] };

/** The tree by which awards are given without one of the strategy's own. */
const USUAL_TREE = {
  root: 'lock',
  nodes: [
    { node: 'lock', matter: 'lock', kind: 'TEXT' },
    { node: 'stock', matter: 'stock', kind: 'TEXT' },
    { node: 'win', result: 'WIN' },
    { node: 'fallback', result: 'FALLBACK' },
  ],
  lines: [
    { from: 'lock', to: 'stock', is: '=', values: ['open'] },
    { from: 'lock', to: 'fallback', is: '=', values: ['locked'] },
    { from: 'stock', to: 'win', is: '=', values: ['left'] },
    { from: 'stock', to: 'fallback', is: '=', values: ['soldOut'] },
  ],
};

const pathOf = (id) => `/api/v1/strategies/${id}`;

/* The list */

export const list = {
  title: () => t('strategies'),

  async load() {
    const [{ items, next }, activities] = await Promise.all([
      read(`/api/v1/strategies?limit=${PAGE}`),
      read(`/api/v1/activities?limit=${PAGE}`),
    ]);
    return { strategies: items, next, activities: activities.items };
  },

  view: (data) => html`
    <div class="title">
      <h1 tabindex="-1">${t('strategies')}</h1>
      ${has('operator') ? html`<a class="button primary" href="#/strategies/new">${t('newStrategy')}</a>` : nothing}
    </div>
    <form class="card inline" @submit=${(event) => {
      event.preventDefault();
      go(`#/strategies/${event.target.elements.number.value}`);
    }}>
      <label><span>${t('strategyId')}</span><input name="number" type="number" min="1" step="1" required></label>
      <button>${t('openIt')}</button>
    </form>
    <ul class="rows card">
      ${data.strategies.map(({ strategyId, awards }) => html`
        <li><span class="grow"><a href="#/strategies/${strategyId}">${t('strategy', strategyId)}</a> <small>${awards.join(', ')}</small></span>
          <small>${data.activities.filter((each) => each.strategyId === strategyId).map((each) => each.name).join(', ')}</small></li>`)}
    </ul>
    ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}`,
};

async function more(data) {
  const { items, next } = await read(`/api/v1/strategies?limit=${PAGE}&cursor=${data.next}`);
  Object.assign(data, { strategies: [...data.strategies, ...items], next });
}

/* The editor */

const NEW_AWARD = {
  title: '', subtitle: '', type: 'TEXT', rate: '', stock: '', lockedUntilDraws: '', maxPerUser: '', cost: '',
  timing: 'INSTANT', at: '', onFailure: 'MANUAL', min: '', max: '', config: '',
};

/** Each pair is one line. So a line end within a value is written as \n, and a backslash as \\. */
const ESCAPES = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const escaped = (value) => value.replace(/[\\\n\r]/g, (each) => ESCAPES[each]);
const unescaped = (value) => value.replace(/\\[\\nr]/g, (each) => Object.keys(ESCAPES).find((plain) => ESCAPES[plain] === each));

const linesOf = (config) => Object.entries(config ?? {}).map(([key, value]) => `${key}=${escaped(value)}`).join('\n');

/** Other parts of the form know awards by a key, so that an award can get another number. */
let lastKey = 0;

const awardModel = (award) => {
  lastKey += 1;
  return {
    ...NEW_AWARD,
    ...award,
    key: lastKey,
    knownType: award.type,
    timing: award.grant?.timing ?? 'INSTANT',
    at: award.grant?.at ?? '',
    min: award.amount?.min ?? '',
    max: award.amount?.max ?? '',
    config: linesOf(award.config),
  };
};

function modelOf(definition) {
  const awards = definition.awards.map(awardModel);
  const keyOf = (awardId) => awards.find((each) => each.awardId === awardId)?.key ?? '';
  return {
    mode: definition.mode,
    ratesAddUpToOne: definition.ratesAddUpToOne,
    fallback: keyOf(definition.fallback),
    awards,
    tierMode: definition.tierMode,
    tiers: definition.tiers.map(({ from, awardIds }) => ({ from, picks: awardIds.map(keyOf) })),
    blacklist: { award: keyOf(definition.blacklist?.awardId), users: (definition.blacklist?.users ?? []).join('\n') },
    tree: definition.tree ? treeModel(definition.tree) : null,
  };
}

const NEW_STRATEGY = () => ({
  mode: 'SINGLE', ratesAddUpToOne: true, fallback: '', awards: [awardModel({ awardId: 1, sort: 1 })],
  tierMode: 'FLOOR', tiers: [], blacklist: { award: '', users: '' }, tree: null,
});

function configOf(lines) {
  const pairs = lines.split('\n').filter((line) => line.trim() !== '').map((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), unescaped(line.slice(at + 1))];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** The form shows the amount of credits only. An amount of another type stays, as it was set by the API. */
const amountOf = ({ type, knownType, min, max }) =>
  (type === 'CREDIT' || type === knownType) && (textOr(min) || textOr(max)) ? { min, max } : undefined;

const awardForm = (award) => ({
  awardId: numberOr(award.awardId),
  title: award.title,
  subtitle: textOr(award.subtitle),
  type: award.type,
  rate: String(award.rate).trim(),
  stock: numberOr(award.stock),
  sort: award.sort,
  lockedUntilDraws: numberOr(award.lockedUntilDraws),
  maxPerUser: numberOr(award.maxPerUser),
  cost: textOr(award.cost),
  grant: { timing: award.timing, at: award.timing === 'SCHEDULED' ? textOr(award.at) : undefined },
  onFailure: award.onFailure,
  amount: amountOf(award),
  config: configOf(award.config),
});

const usersOf = (lines) => lines.split('\n').map((each) => each.trim()).filter(Boolean);

function documentOf(model, strategyId) {
  const idOfAward = (key) => numberOr(model.awards.find((each) => String(each.key) === String(key))?.awardId);
  const users = usersOf(model.blacklist.users);
  return {
    strategyId,
    mode: model.mode,
    ratesAddUpToOne: model.ratesAddUpToOne === true,
    fallback: idOfAward(model.fallback),
    awards: model.awards.map(awardForm),
    tierMode: model.tierMode,
    tiers: model.tiers.map(({ from, picks }) => ({ from: numberOr(from), awardIds: picks.map(idOfAward) })),
    blacklist: users.length > 0 || model.blacklist.award ? { users, awardId: idOfAward(model.blacklist.award) } : undefined,
    tree: model.tree ? treeForm(model.tree) : undefined,
  };
}

/** A rate as a whole number; null if it is none. */
function exact(rate) {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(String(rate).trim());
  const digits = match?.[2] ?? '';
  return match && digits.length <= DIGITS ? BigInt(match[1]) * ONE + BigInt(digits.padEnd(DIGITS, '0')) : null;
}

export function sumOf(rates) {
  const all = rates.map(exact);
  return all.includes(null) ? null : all.reduce((sum, rate) => sum + rate, 0n);
}

const plain = (value) => {
  const text = value.toString().padStart(DIGITS + 1, '0');
  return `${text.slice(0, -DIGITS)}.${text.slice(-DIGITS)}`.replace(/\.?0+$/, '');
};

export const editor = {
  keepsInput: true,

  title: ({ id }) => (id ? t('strategy', id) : t('newStrategy')),

  async load(id, shown) {
    if (!id) {
      const { strategies, activities } = await list.load();
      const known = [...strategies, ...activities].map((each) => each.strategyId);
      return { id: null, newId: Math.max(100, ...known) + 1, version: null, model: NEW_STRATEGY(), problems: null };
    }
    const newest = await read(pathOf(id));
    const { definition, version } = shown ? await read(`${pathOf(id)}?version=${shown}`) : newest;
    return { id, version: newest.version, shown: version, model: modelOf(definition), problems: null };
  },

  view(data) {
    const { id, version, model } = data;
    const mayEdit = has('operator');
    return html`
      <p class="back"><a href="#/strategies">← ${t('strategies')}</a></p>
      <div class="title">
        <h1 tabindex="-1">${id ? t('strategy', id) : t('newStrategy')}</h1>
        ${id ? html`<span class="tag">${t('version', data.shown)}</span>` : nothing}
        ${id && has('operator', 'approver') ? html`<a class="button" href="#/strategies/${id}/simulation">${t('simulate')}</a>` : nothing}
      </div>
      ${id && version > 1 ? versionView(data) : nothing}
      ${summary(data)}
      <form class="sheet-form" @submit=${(event) => save(event, data)}>
      <fieldset class="plain" ?disabled=${!mayEdit}>
        <section class="card fields" aria-labelledby="rules">
          <h2 id="rules" class="wide">${t('rules')}</h2>
          ${id ? nothing : whole(data, data, 'newId', t('strategyId'), { isRequired: true, at: 'strategyId' })}
          ${field(data, model, 'mode', t('mode'), { options: ['SINGLE', 'OVERALL'].map((each) => [each, t(each)]) })}
          ${field(data, model, 'fallback', t('fallback'), { options: awardOptions(model, t('none')) })}
          ${check(model, 'ratesAddUpToOne', t('ratesAddUpToOne'))}
        </section>
        <div class="row-list sheet-form" id=${idOf('/awards')}>
          ${sumView(data)}
          ${model.awards.map((award, i) => awardView(data, award, i))}
          <button type="button" class="add" @click=${(event) => addRow(event, model.awards, nextAward(model))}>${t('addAward')}</button>
        </div>
        ${tiersView(data)} ${blacklistView(data)} ${decisionView(data)}
        ${mayEdit
          ? html`<div class="buttons"><button class="primary" aria-disabled=${busy()}>${id ? t('saveVersion', version + 1) : t('save')}</button></div>`
          : nothing}
      </fieldset>
      </form>`;
  },
};

const nameOf = (award) => award.title || t('award', award.awardId);

const awardOptions = (model, none) => [['', none], ...model.awards.map((each) => [each.key, `${each.awardId}: ${each.title}`])];

/** Shows an earlier version, from which the next one can be made. */
const versionView = ({ id, version, shown }) => html`
  <form class="card inline" @submit=${(event) => {
    event.preventDefault();
    go(`#/strategies/${id}/versions/${event.target.elements.number.value}`);
  }}>
    <label><span>${t('otherVersion', version)}</span><input name="number" type="number" min="1" max=${version} step="1" required></label>
    <button>${t('openIt')}</button>
    ${shown < version ? html`<p class="wide warns" role="status">${t('olderVersion', shown, version + 1)}</p>` : nothing}
  </form>`;

/** The sum of the rates as it is typed, each award with its part of the bar. */
function sumView(data) {
  const { model } = data;
  const sum = sumOf(model.awards.map((each) => each.rate || '0'));
  const verdict = sum === null ? 'bad' : sum > ONE || (model.ratesAddUpToOne && sum !== ONE) ? 'bad' : 'fits';
  const rest = sum === null ? 0n : ONE - sum;
  let from = 0;
  return html`
    <section class="card sum ${verdict}" aria-labelledby="sum">
      <h2 id="sum">${t('sum')} <output class="total">${sum === null ? t('notRates') : plain(sum)}</output></h2>
      <svg class="parts" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img" aria-label=${t('sumBar')}>
        <rect class="track" width="1000" height="14"></rect>
        ${model.awards.map((each, i) => {
          const width = (Number(each.rate) || 0) * 1000;
          from += width;
          return part(from - width, width, i);
        })}
      </svg>
      <p class="hint" role="status">${sum === null || rest === 0n
        ? verdict === 'fits' ? t('sumIsOne') : t('notRates')
        : rest < 0n ? t('sumAbove', plain(-rest)) : t(model.ratesAddUpToOne ? 'sumBelow' : 'sumRest', plain(rest))}</p>
      ${problemsAt(data, '/awards')}
    </section>`;
}

const part = (from, width, i) => svg`
  <rect class="part-${i % 6}" x=${Math.min(1000, from).toFixed(1)} height="14"
    width=${Math.max(0, Math.min(1000 - from, width)).toFixed(1)}></rect>`;

function awardView(data, award, i) {
  const base = `/awards/${i}`;
  const key = CONFIG_KEYS[award.type];
  return html`
    <fieldset class="card fields award row" id=${idOf(base)}>
      <legend>${nameOf(award)}</legend>
      ${whole(data, award, 'awardId', t('awardId'), { base, isRequired: true })}
      ${field(data, award, 'title', t('title'), { base, isRequired: true, maxlength: 100 })}
      ${field(data, award, 'type', t('type'), { base, options: TYPES.map((each) => [each, t(each)]) })}
      ${field(data, award, 'rate', t('rate'), { base, isRequired: true, inputmode: 'decimal', hint: Number(award.rate) > 0 ? percent(award.rate) : '' })}
      ${whole(data, award, 'stock', t('stock'), { base, hint: t('noLimit') })}
      ${whole(data, award, 'lockedUntilDraws', t('lockedUntilDraws'), { base, min: 0 })}
      ${whole(data, award, 'maxPerUser', t('perUserMax'), { base, hint: t('noLimit') })}
      ${field(data, award, 'cost', t('cost'), { base, inputmode: 'decimal' })}
      <details class="wide" ?open=${hasProblemBelow(data, base)}>
        <summary>${t('moreOf', award.title || award.awardId)}</summary>
        <div class="fields">
          ${field(data, award, 'subtitle', t('subtitle'), { base, maxlength: 200 })}
          ${field(data, award, 'timing', t('timing'), {
            base, at: 'grant/timing', options: ['INSTANT', 'SCHEDULED', 'ACTIVITY_END', 'MANUAL'].map((each) => [each, t(`T_${each}`)]),
          })}
          ${award.timing === 'SCHEDULED'
            ? field(data, award, 'at', t('grantAt'), { base, at: 'grant/at', hint: '2027-01-31T12:00:00+08:00', isRequired: true })
            : nothing}
          ${field(data, award, 'onFailure', t('onFailure'), {
            base, options: ['MANUAL', 'SUBSTITUTE', 'RETURN_CHANCE'].map((each) => [each, t(`R_${each}`)]),
          })}
          ${award.type === 'CREDIT'
            ? html`${field(data, award, 'min', t('amountMin'), { base, at: 'amount', inputmode: 'decimal' })}
                ${field(data, award, 'max', t('amountMax'), { base, at: 'amount/max', inputmode: 'decimal' })}`
            : nothing}
          ${field(data, award, 'config', t('config'), { base, type: 'textarea', wide: true, hint: key ? t('configHint', key) : '' })}
        </div>
      </details>
      <button type="button" class="quiet remove" ?disabled=${data.model.awards.length < 2}
        @click=${(event) => removeAward(event, data.model, i)}>${t('removeOf', nameOf(award))}</button>
    </fieldset>`;
}

const MORE = ['/config', '/grant', '/amount', '/onFailure', '/subtitle'];

const hasProblemBelow = (data, base) =>
  [...(data.problems?.keys() ?? [])].some((pointer) => MORE.some((each) => pointer.startsWith(base + each)));

const nextAward = ({ awards }) => awardModel({
  awardId: Math.max(0, ...awards.map((each) => Number(each.awardId))) + 1,
  sort: Math.max(0, ...awards.map((each) => each.sort)) + 1,
});

/** Nothing but lines of the tree still names an award that is gone. */
function removeAward(event, model, i) {
  const { key } = model.awards[i];
  const unless = (other) => (String(other) === String(key) ? '' : other);
  model.fallback = unless(model.fallback);
  model.blacklist.award = unless(model.blacklist.award);
  for (const tier of model.tiers) {
    tier.picks = tier.picks.filter((each) => each !== key);
  }
  removeRow(event, model.awards, i);
}

/* Tiers, blacklist and tree */

const tiersView = (data) => html`
  <section class="card" aria-labelledby="tiers">
    <h2 id="tiers">${t('tiers')}</h2>
    <p class="hint">${t('tiersHint')}</p>
    ${data.model.tiers.length > 0
      ? html`<div class="fields one">${field(data, data.model, 'tierMode', t('tierMode'), { options: ['FLOOR', 'EXACT'].map((each) => [each, t(`M_${each}`)]) })}</div>`
      : nothing}
    <div class="row-list" id=${idOf('/tiers')}>
      ${data.model.tiers.map((tier, i) => tierView(data, tier, i))}
      <button type="button" class="add" @click=${(event) => addRow(event, data.model.tiers, { from: '', picks: [] })}>${t('addTier')}</button>
    </div>
  </section>`;

function tierView(data, tier, i) {
  const base = `/tiers/${i}`;
  return html`
    <fieldset class="fields tier row" id=${idOf(base)}>
      <legend>${t('tierFrom', tier.from)}</legend>
      ${whole(data, tier, 'from', t('from'), { base, isRequired: true })}
      ${checks(data, tier, 'picks', t('awards'), data.model.awards.map((each) => [each.key, nameOf(each)]), { base, at: 'awardIds' })}
      <button type="button" class="quiet remove" @click=${(event) => removeRow(event, data.model.tiers, i)}>${t('removeOf', t('tierFrom', tier.from))}</button>
    </fieldset>`;
}

const blacklistView = (data) => html`
  <section class="card" aria-labelledby="blacklist">
    <h2 id="blacklist">${t('blacklist')}</h2>
    <p class="hint">${t('blacklistHint')}</p>
    <div class="fields">
      ${field(data, data.model.blacklist, 'award', t('blacklistAward'), { base: '/blacklist', at: 'awardId', options: awardOptions(data.model, t('none')) })}
      ${field(data, data.model.blacklist, 'users', t('blacklistUsers'), { base: '/blacklist', type: 'textarea', hint: t('oneInEachLine') })}
    </div>
  </section>`;

/** What the tree of a strategy looks at, and comes to. */
const wordsOf = (model) => ({
  matters: MATTERS.map((each) => [each, t(`I_${each}`)]),
  results: RESULTS.map((each) => [each, t(`O_${each}`)]),
  kindOf: (matter) => (matter === '' ? undefined : matter in VALUES ? 'TEXT' : 'NUMBER'),
  valuesOf: (matter) =>
    matter === 'award' ? model.awards.map((each) => [each.awardId, `${each.awardId}: ${each.title}`]) : VALUES[matter]?.map((each) => [each, t(`W_${each}`)]),
});

const decisionView = (data) => html`
  <section class="card" aria-labelledby="tree" id=${idOf('/tree')}>
    <h2 id="tree">${t('tree')}</h2>
    <p class="hint">${t('treeHint')}</p>
    ${data.model.tree ? treeView(data, data.model.tree, '/tree', wordsOf(data.model)) : nothing}
    <button type="button" class="own-tree ${data.model.tree ? 'quiet remove' : ''}" @click=${() => {
      data.model.tree = data.model.tree ? null : treeModel(USUAL_TREE);
      show();
    }}>${t(data.model.tree ? 'removeTree' : 'addTree')}</button>
  </section>`;

async function save(event, data) {
  event.preventDefault();
  await attempt(async () => {
    data.problems = null;
    try {
      if (data.id) {
        const { content } = await call('PUT', pathOf(data.id), documentOf(data.model), { 'If-Match': String(data.version) });
        Object.assign(data, { version: content.version, shown: content.version });
        history.replaceState(null, '', `#/strategies/${data.id}`);
        note(t('savedVersion', content.version));
        scrollTo({ top: 0 });
      } else {
        const { content } = await call('POST', '/api/v1/strategies', documentOf(data.model, numberOr(data.newId)));
        go(`#/strategies/${content.strategyId}`);
      }
    } catch (failure) {
      showFindings(data, failure);
    }
  });
}
