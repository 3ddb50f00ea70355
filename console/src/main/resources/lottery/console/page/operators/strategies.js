/** Strategies: the editor of awards and odds, and simulations. */

import { html, nothing, svg } from '../lit-html.js';
import { Refusal, call, follow, read } from '../api.js';
import { number, percent } from '../language.js';
import { progressBar, reachOf, shareBar } from './charts.js';
import { check, field, numberOr, problemsOf, revealProblems, summary, textOr, whole } from './forms.js';
import { attempt, go, has, note, show, state } from './state.js';
import { t } from './texts.js';

const PAGE = 100;
/** Rates are added up exactly: as whole numbers of this many digits behind the point. */
const DIGITS = 18;
const ONE = 10n ** BigInt(DIGITS);
const TYPES = ['TEXT', 'CREDIT', 'COUPON', 'CODE', 'PHYSICAL'];
/** The key of what fulfilment needs to know of a type of award. */
const CONFIG_KEYS = { TEXT: 'text', CREDIT: 'credits', COUPON: 'url', PHYSICAL: 'claimDays' };
const OTHER_RULES = ['blacklist', 'tierMode', 'tiers', 'tree'];

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

const linesOf = (config) => Object.entries(config ?? {}).map(([key, value]) => `${key}=${value}`).join('\n');

const awardModel = (award) => ({
  ...NEW_AWARD,
  ...award,
  timing: award.grant?.timing ?? 'INSTANT',
  at: award.grant?.at ?? '',
  min: award.amount?.min ?? '',
  max: award.amount?.max ?? '',
  config: linesOf(award.config),
});

const rulesOf = (definition) =>
  JSON.stringify(Object.fromEntries(OTHER_RULES.filter((key) => key in definition).map((key) => [key, definition[key]])), null, 2);

const modelOf = (definition) => ({
  mode: definition.mode,
  ratesAddUpToOne: definition.ratesAddUpToOne,
  fallback: definition.fallback ?? '',
  awards: definition.awards.map(awardModel),
  rules: rulesOf(definition),
});

function configOf(lines) {
  const pairs = lines.split('\n').filter((line) => line.trim() !== '').map((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

const awardForm = (award, i) => ({
  awardId: numberOr(award.awardId),
  title: award.title,
  subtitle: textOr(award.subtitle),
  type: award.type,
  rate: String(award.rate).trim(),
  stock: numberOr(award.stock),
  sort: i + 1,
  lockedUntilDraws: numberOr(award.lockedUntilDraws),
  maxPerUser: numberOr(award.maxPerUser),
  cost: textOr(award.cost),
  grant: { timing: award.timing, at: textOr(award.at) },
  onFailure: award.onFailure,
  amount: textOr(award.min) || textOr(award.max) ? { min: award.min, max: award.max } : undefined,
  config: configOf(award.config),
});

function otherRules(model) {
  try {
    const rules = JSON.parse(model.rules.trim() || '{}');
    return Object.keys(rules).every((key) => OTHER_RULES.includes(key)) ? rules : null;
  } catch {
    return null;
  }
}

const documentOf = (model, strategyId) => ({
  strategyId,
  mode: model.mode,
  ratesAddUpToOne: model.ratesAddUpToOne === true,
  fallback: numberOr(model.fallback),
  awards: model.awards.map(awardForm),
  ...otherRules(model),
});

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

  async load(id) {
    if (!id) {
      const { strategies, activities } = await list.load();
      const known = [...strategies, ...activities].map((each) => each.strategyId);
      const model = { mode: 'SINGLE', ratesAddUpToOne: true, fallback: '', awards: [{ ...NEW_AWARD, awardId: 1 }], rules: '' };
      return { id: null, newId: Math.max(100, ...known) + 1, version: null, model, problems: null };
    }
    const { definition, version } = await read(pathOf(id));
    return { id, version, model: modelOf(definition), problems: null };
  },

  view(data) {
    const { id, version, model } = data;
    const mayEdit = has('operator');
    return html`
      <p class="back"><a href="#/strategies">← ${t('strategies')}</a></p>
      <div class="title">
        <h1 tabindex="-1">${id ? t('strategy', id) : t('newStrategy')}</h1>
        ${version ? html`<span class="tag">${t('version', version)}</span>` : nothing}
        ${id && has('operator', 'approver') ? html`<a class="button" href="#/strategies/${id}/simulation">${t('simulate')}</a>` : nothing}
      </div>
      ${summary(data)}
      <form class="sheet-form" @submit=${(event) => save(event, data)}>
      <fieldset class="plain" ?disabled=${!mayEdit}>
        <section class="card fields" aria-labelledby="rules">
          <h2 id="rules" class="wide">${t('rules')}</h2>
          ${id ? nothing : whole(data, data, 'newId', t('strategyId'), { isRequired: true, at: 'strategyId' })}
          ${field(data, model, 'mode', t('mode'), { options: ['SINGLE', 'OVERALL'].map((each) => [each, t(each)]) })}
          ${field(data, model, 'fallback', t('fallback'), {
            options: [['', t('none')], ...model.awards.map((each) => [each.awardId, `${each.awardId}: ${each.title}`])],
          })}
          ${check(model, 'ratesAddUpToOne', t('ratesAddUpToOne'))}
        </section>
        ${sumView(model)}
        ${model.awards.map((award, i) => awardView(data, award, i))}
        <button type="button" class="add" @click=${() => addAward(model)}>${t('addAward')}</button>
        <details class="card">
          <summary>${t('otherRules')}</summary>
          <p class="hint">${t('otherRulesHint')}</p>
          ${field(data, model, 'rules', t('otherRules'), { type: 'textarea', rows: 10 })}
          ${otherRules(model) === null ? html`<p class="refuses">${t('noJson')}</p>` : nothing}
        </details>
        ${mayEdit
          ? html`<div class="buttons"><button class="primary" ?disabled=${state.isBusy || otherRules(model) === null}>
              ${id ? t('saveVersion', version + 1) : t('save')}</button></div>`
          : nothing}
      </fieldset>
      </form>`;
  },
};

/** The sum of the rates as it is typed, each award with its part of the bar. */
function sumView(model) {
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
    </section>`;
}

const part = (from, width, i) => svg`
  <rect class="part-${i % 6}" x=${Math.min(1000, from).toFixed(1)} height="14"
    width=${Math.max(0, Math.min(1000 - from, width)).toFixed(1)}></rect>`;

function awardView(data, award, i) {
  const base = `/awards/${i}`;
  const key = CONFIG_KEYS[award.type];
  return html`
    <fieldset class="card fields award">
      <legend>${award.title || t('award', award.awardId)}</legend>
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
            ? html`${field(data, award, 'min', t('amountMin'), { base, at: 'amount/min', inputmode: 'decimal' })}
                ${field(data, award, 'max', t('amountMax'), { base, at: 'amount/max', inputmode: 'decimal' })}`
            : nothing}
          ${field(data, award, 'config', t('config'), { base, type: 'textarea', wide: true, hint: key ? t('configHint', key) : '' })}
        </div>
      </details>
      <button type="button" class="quiet remove" ?disabled=${data.model.awards.length < 2} @click=${() => {
        data.model.awards.splice(i, 1);
        show();
      }}>${t('removeOf', award.title || award.awardId)}</button>
    </fieldset>`;
}

const MORE = ['/config', '/grant', '/amount', '/onFailure', '/subtitle'];

const hasProblemBelow = (data, base) =>
  [...(data.problems?.keys() ?? [])].some((pointer) => MORE.some((each) => pointer.startsWith(base + each)));

function addAward(model) {
  model.awards.push({ ...NEW_AWARD, awardId: Math.max(0, ...model.awards.map((each) => Number(each.awardId))) + 1 });
  show();
}

async function save(event, data) {
  event.preventDefault();
  await attempt(async () => {
    data.problems = null;
    try {
      if (data.id) {
        const { content } = await call('PUT', pathOf(data.id), documentOf(data.model), { 'If-Match': String(data.version) });
        data.version = content.version;
        note(t('savedVersion', content.version));
        scrollTo({ top: 0 });
      } else {
        const { content } = await call('POST', '/api/v1/strategies', documentOf(data.model, numberOr(data.newId)));
        go(`#/strategies/${content.strategyId}`);
      }
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.findings.length === 0) {
        throw failure;
      }
      data.problems = problemsOf(failure.findings);
      revealProblems();
    }
  });
}

/* Simulations */

export const simulation = {
  keepsInput: true,

  title: ({ id }) => t('simulationOf', id),

  async load(id) {
    const { version } = await read(pathOf(id));
    return { id, version, model: { draws: 100_000, users: 1_000, days: 7, seed: 1 }, done: 0, of: 0, result: null };
  },

  view(data) {
    const { id, version, model } = data;
    return html`
      <p class="back"><a href="#/strategies/${id}">← ${t('strategy', id)}</a></p>
      <div class="title"><h1 tabindex="-1">${t('simulationOf', id)}</h1><span class="tag">${t('version', version)}</span></div>
      <form class="card fields" @submit=${(event) => simulate(event, data)}>
        ${whole(data, model, 'draws', t('draws'), { isRequired: true, max: 10_000_000 })}
        ${whole(data, model, 'users', t('users'), { isRequired: true })}
        ${whole(data, model, 'days', t('days'), { isRequired: true })}
        ${field(data, model, 'seed', t('seed'), { type: 'number', step: 1 })}
        <div class="buttons wide"><button class="primary" ?disabled=${data.isRunning}>${t('simulate')}</button></div>
      </form>
      <div role="status">
        ${data.isRunning
          ? html`<p class="card">${t('simulating', data.of > 0 ? percent(data.done / data.of) : '')} ${progressBar(data.done, Math.max(1, data.of), t('progress'))}</p>`
          : nothing}
      </div>
      ${data.result ? resultView(data.result) : nothing}`;
  },
};

async function simulate(event, data) {
  event.preventDefault();
  const { model } = data;
  Object.assign(data, { isRunning: true, done: 0, of: 0, result: null });
  await attempt(() => play(data, {
    draws: numberOr(model.draws), users: numberOr(model.users), days: numberOr(model.days), seed: numberOr(model.seed),
  }));
  data.isRunning = false;
  show();
}

function play(data, form) {
  return follow(`${pathOf(data.id)}/simulations`, form, (name, content) => {
    if (name === 'progress') {
      Object.assign(data, content);
    } else if (name === 'result') {
      data.result = content;
    } else if (name === 'stopped') {
      state.message = t('stopped', content.code);
    }
    show();
  });
}

const chartOf = ({ expectedShare, share }) => ({
  promised: Number(expectedShare),
  drawn: Number(share.mean),
  low: Number(share.least),
  high: Number(share.most),
  agrees: Number(share.least) <= Number(expectedShare) && Number(expectedShare) <= Number(share.most),
});

function resultView(result) {
  const reach = reachOf(result.awards.map(chartOf));
  return html`
    <section class="card" aria-labelledby="result">
      <h2 id="result">${t('result')}</h2>
      <p class="hint">${t('resultHint', number(result.draws), result.runs, number(result.drawsPerSecond))}</p>
      <div class="scroll"><table>
        <thead><tr><th scope="col">${t('awardName')}</th><th scope="col">${t('promised')}</th><th scope="col">${t('simulated')}</th>
          <th scope="col" class="chart">${t('compared')}</th><th scope="col">${t('count')}</th><th scope="col">${t('soldOut')}</th><th scope="col">${t('costs')}</th></tr></thead>
        <tbody>
          ${result.awards.map((each) => html`
            <tr><th scope="row">${each.title}</th><td>${percent(each.expectedShare)}</td><td>${percent(each.share.mean)}</td>
              <td class="chart">${shareBar(chartOf(each), reach)}</td>
              <td>${number(Number(each.count.mean))}</td>
              <td>${each.soldOut ? t('soldOutRuns', each.soldOut.runs, result.runs) : '–'}</td>
              <td>${each.cost ? number(Number(each.cost.mean)) : '–'}</td></tr>`)}
          ${['fallback', 'nothing'].map((name) => html`
            <tr class="rest"><th scope="row">${t(`rest_${name}`)}</th><td></td><td>${percent(result[name].share.mean)}</td><td></td>
              <td>${number(Number(result[name].count.mean))}</td><td></td><td></td></tr>`)}
        </tbody>
        <tfoot><tr><th scope="row">${t('total')}</th><td></td><td></td><td></td><td>${number(result.draws)}</td><td></td><td>${number(Number(result.cost.mean))}</td></tr></tfoot>
      </table></div>
    </section>`;
}
