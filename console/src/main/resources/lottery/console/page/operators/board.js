/** The board of an activity: draws, wins, stock and odds as they come. */

import { html, nothing } from '../lit-html.js';
import { read } from '../api.js';
import { number, percent, time } from '../language.js';
import { pathOf, stateTag } from './activities.js';
import { meter, reachOf, shareBar, sparkline } from './charts.js';
import { has } from './state.js';
import { t } from './texts.js';

/** Two minutes, one value for each look. */
const SAMPLES_MAX = 60;

const drawsOf = (audit) => audit.versions.reduce((sum, each) => sum + each.draws, 0);

export const page = {
  title: ({ activity }) => `${t('board')}: ${activity.name}`,

  isLive: (data) => ['DOING', 'PAUSED'].includes(data?.activity.state),

  async load(id, before) {
    const path = pathOf(id);
    const [activity, audit, projections, figures] = await Promise.all([
      read(path),
      read(`${path}/odds/audit`),
      has('operator', 'desk', 'auditor') ? read('/api/v1/ops/projections') : null,
      has('operator', 'approver', 'auditor') ? read(`${path}/figures`) : null,
    ]);
    const draws = drawsOf(audit);
    const at = Date.now();
    const rate = before && at > before.at ? Math.max(0, ((draws - before.draws) * 1000) / (at - before.at)) : null;
    const rates = [...(before?.rates ?? []), ...(rate === null ? [] : [rate])].slice(-SAMPLES_MAX);
    return { activity, audit, projections: projections?.items ?? [], figures, draws, rates, at };
  },

  view: (data) => html`
    <p class="back"><a href="#/activities/${data.activity.activityId}">← ${data.activity.name}</a></p>
    <div class="title">
      <h1 tabindex="-1">${t('board')}: ${data.activity.name}</h1>${stateTag(data.activity.state)}
      <small class="hint fresh">${data.activity.state === 'DOING' ? html`<span class="live" aria-hidden="true"></span>` : nothing}${t('asOf', time(data.at))}</small>
    </div>
    ${tilesView(data)}
    ${data.audit.versions.map((version) => oddsView(version, data))}
    <div class="columns">
      ${stockView(data.activity)} ${data.projections.length > 0 ? lagView(data.projections) : nothing}
    </div>`,
};

const takenOf = (each) => each.stock - each.stockLeft;

const tile = (name, value, more = nothing) => html`<div class="card tile"><dt>${name}</dt><dd>${value}${more}</dd></div>`;

function tilesView(data) {
  const stocks = data.activity.awardStock ?? [];
  const current = data.rates.at(-1) ?? 0;
  const participations = data.activity.participationsMax;
  return html`
    <dl class="tiles">
      ${tile(t('drawsPerSecond'), number(Math.round(current * 10) / 10), sparkline(data.rates, t('drawsPerSecond')))}
      ${tile(t('draws'), number(data.draws), participations ? html`<small>${t('ofMost', number(participations))}</small>` : nothing)}
      ${stocks.length > 0
        ? tile(t('limitedWon'), number(stocks.reduce((sum, each) => sum + takenOf(each), 0)),
            html`<small>${t('ofMost', number(stocks.reduce((sum, each) => sum + each.stock, 0)))}</small>`)
        : nothing}
      ${data.figures ? tile(t('costSoFar'), data.figures.total.cost, html`<small>${t('costHint')}</small>`) : nothing}
      ${data.figures?.visitors ? tile(t('visitors'), number(data.figures.visitors)) : nothing}
      ${data.figures?.payers ? tile(t('payers'), number(data.figures.payers)) : nothing}
      ${data.figures?.budget ? budgetTiles(data.figures.budget) : nothing}
    </dl>`;
}

const budgetTiles = (budget) => html`
  ${budgetTile(t('budgetSpent'), budget.spent, budget.left, budget.amount)}
  ${budget.perDay ? budgetTile(t('budgetSpentToday'), budget.spentToday, budget.leftToday, budget.perDay) : nothing}`;

const budgetTile = (name, spent, left, of) =>
  tile(name, spent, html`${meter(Number(left), Number(of))}<small>${t('ofMost', of)}</small>`);

const chartOf = (share) => ({
  promised: Number(share.promised),
  drawn: share.drawn === undefined ? undefined : Number(share.drawn),
  low: share.interval ? Number(share.interval.low) : undefined,
  high: share.interval ? Number(share.interval.high) : undefined,
  agrees: share.verdict === 'AGREES',
});

function oddsView(version, { audit }) {
  const reach = reachOf(version.shares.map(chartOf));
  return html`
    <section class="card" aria-labelledby="odds-${version.strategyId}-${version.version}">
      <h2 id="odds-${version.strategyId}-${version.version}">${t('oddsOf', version.strategyId, version.version)}</h2>
      <p class="hint">${t('oddsHint', percent(audit.confidence))} ${t('comparedHint', number(version.compared), number(version.draws))}</p>
      <div class="scroll"><table>
        <thead><tr><th scope="col">${t('awardName')}</th><th scope="col">${t('picked')}</th><th scope="col">${t('promised')}</th>
          <th scope="col">${t('drawn')}</th><th scope="col" class="chart">${t('compared')}</th><th scope="col">${t('verdict')}</th></tr></thead>
        <tbody>
          ${version.shares.map((share) => html`
            <tr><th scope="row">${share.title ?? t('noAward')}</th><td>${number(share.won)}</td><td>${percent(share.promised)}</td>
              <td>${share.drawn === undefined ? '–' : percent(share.drawn)}</td>
              <td class="chart">${shareBar(chartOf(share), reach)}</td>
              <td><span class="verdict ${share.verdict}">${t(`V_${share.verdict}`)}</span></td></tr>`)}
        </tbody>
      </table></div>
    </section>`;
}

function stockView(activity) {
  const stocks = [
    ...(activity.awardStock ?? []).map((each) => ({ title: each.title ?? String(each.awardId), left: each.stockLeft, of: each.stock })),
    ...activity.skus.filter((each) => each.stock).map((each) => ({ title: each.title ?? `SKU ${each.sku}`, left: each.stockLeft, of: each.stock })),
  ];
  return html`
    <section class="card" aria-labelledby="stock">
      <h2 id="stock">${t('stockLeft')}</h2>
      ${stocks.length === 0 ? html`<p class="hint">${t('noStock')}</p>` : nothing}
      <ul class="list stocks">
        ${stocks.map((each) => html`
          <li><span class="grow">${each.title}</span>${meter(each.left, each.of)}<small>${number(each.left)} / ${number(each.of)}</small></li>`)}
      </ul>
    </section>`;
}

const lagView = (projections) => html`
  <section class="card" aria-labelledby="lag">
    <h2 id="lag">${t('lag')}</h2>
    <ul class="list">
      ${[...projections].sort((one, other) => other.lag - one.lag).map((each) => html`
        <li><span class="grow">${each.name}</span>
          ${each.parked > 0 ? html`<span class="tag refused">${t('parked', each.parked)}</span>` : nothing}
          <small class=${each.lag > 1000 ? 'refuses' : ''}>${t('behind', number(each.lag))}</small></li>`)}
    </ul>
  </section>`;
