/** Reconciliation: statements of providers, what differs from them, and the export for accountants. */

import { html, nothing } from '../lit-html.js';
import { call, read } from '../api.js';
import { money, number, time } from '../language.js';
import { decision } from './desk.js';
import { attempt, busy, has, note, state } from './state.js';
import { t } from './texts.js';

const PAGE = 50;
const OPS = '/api/v1/ops/payments';
const DIFFERENCES = `${OPS}/differences`;

const STATEMENTS = `${OPS}/statements`;
const STATEMENTS_SHOWN = 10;

const readDifferences = (cursor) => read(`${DIFFERENCES}?${new URLSearchParams({ limit: PAGE, ...(cursor ? { cursor } : {}) })}`);

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const page = {
  title: () => t('reconciliation'),

  async load() {
    const [{ items, next }, { items: statements }, { providers }] = await Promise.all([
      readDifferences(),
      read(`${STATEMENTS}?limit=${STATEMENTS_SHOWN}`),
      read('/api/v1/payment-providers'),
    ]);
    return { items, next, statements, providers, summary: state.data?.summary };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('reconciliation')}</h1></div>
    ${has('desk') ? statementForm(data) : nothing}
    ${data.summary ? summaryView(data.summary) : nothing}
    <section class="group" aria-labelledby="differences">
      <h2 id="differences">${t('paymentDifferences')}</h2>
      <p class="hint">${t('paymentDifferencesHint')}</p>
      ${data.items.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
      <ul class="rows card">${data.items.map(differenceView)}</ul>
      ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}
    </section>
    ${statementsView(data.statements)}
    ${exportForm()}`,
};

async function more(data) {
  const { items, next } = await readDifferences(data.next);
  Object.assign(data, { items: [...data.items, ...items], next });
}

const statementsView = (statements) => (statements.length === 0 ? nothing : html`
  <section class="group" aria-labelledby="given">
    <h2 id="given">${t('statementsGiven')}</h2>
    <ul class="rows card">
      ${statements.map((each) => html`
        <li><span class="grow">${each.provider}, ${each.day} <small>${each.zone} · ${t('statementLines', number(each.lines))}</small></span>
          <small class="when">${time(each.givenAt)}${each.givenBy ? ` · ${each.givenBy}` : ''}</small></li>`)}
    </ul>
  </section>`);

const daysFields = () => html`
  <label><span>${t('firstDay')}</span><input name="from" type="date" required></label>
  <label><span>${t('lastDay')}</span><input name="to" type="date" required></label>`;

const zoneField = () => html`
  <label><span>${t('zone')}</span><input name="zone" required autocomplete="off" value=${ownZone()}></label>`;

const statementForm = (data) => html`
  <section class="card" aria-labelledby="statement">
    <h2 id="statement">${t('statement')}</h2>
    <p class="hint">${t('statementHint')}</p>
    <form class="fields" @submit=${give}>
      <label><span>${t('statementProvider')}</span>
        <input name="provider" required pattern="[a-z0-9\\-]{1,32}" list="providers" autocomplete="off" value=${data.providers[0] ?? ''}></label>
      <datalist id="providers">${data.providers.map((each) => html`<option value=${each}></option>`)}</datalist>
      <label><span>${t('statementDay')}</span><input name="day" type="date" required></label>
      ${zoneField()}
      <label><span>${t('statementFile')}</span><input name="file" type="file" accept=".csv,text/csv" required></label>
      <div class="buttons wide"><button class="primary" aria-disabled=${busy()}>${t('compare')}</button></div>
    </form>
  </section>`;

function give(event) {
  event.preventDefault();
  const { provider, day, zone, file } = event.target.elements;
  const path = `${STATEMENTS}/${encodeURIComponent(provider.value)}/${day.value}?zone=${encodeURIComponent(zone.value.trim())}`;
  return attempt(async () => {
    const { content } = await call('PUT', path, file.files[0]);
    state.data.summary = content;
    state.data = await page.load();
  });
}

const sumOf = (count, amount, currency) => `${number(count)} · ${money({ amount, currency })}`;

const summaryView = (summary) => html`
  <section class="card" aria-labelledby="summary">
    <h2 id="summary">${summary.provider}, ${summary.day} (${summary.zone})</h2>
    <p class="hint">${t('statementSays', number(summary.lines), number(summary.differences))}</p>
    <div class="scroll"><table>
      <thead><tr><th scope="col">${t('moneyMoved')}</th><th scope="col">${t('inStatement')}</th><th scope="col">${t('inLottery')}</th></tr></thead>
      <tbody>
        ${summary.sums.map((each) => html`
          <tr><th scope="row">${t(`K_${each.kind}`)}</th>
            <td>${sumOf(each.statedCount, each.statedAmount, each.currency)}</td>
            <td>${sumOf(each.count, each.amount, each.currency)}</td></tr>`)}
      </tbody>
    </table></div>
  </section>`;

const differenceView = (each) => {
  const name = `${each.provider}/${each.tradeNo}`;
  return html`
    <li class="waits">
      <span class="grow"><strong>${t(`differs_${each.difference}`)}</strong>
        <small>${t(`K_${each.kind}`)} · ${each.provider} · <code>${each.tradeNo}</code>${each.paymentId ? html` · <code>${each.paymentId}</code>` : nothing}</small>
        <small class="cause">${[
          each.statedAmount && `${t('inStatement')}: ${money({ amount: each.statedAmount, currency: each.statedCurrency })}`,
          each.amount && `${t('inLottery')}: ${money(each)}`,
        ].filter(Boolean).join(' · ')}</small></span>
      <small class="when">${each.day}</small>
      <span class="buttons">${has('desk') ? buttons(each, name) : nothing}</span>
    </li>`;
};

const buttons = (each, name) => html`
  ${each.difference === 'MISSING_HERE' && each.kind === 'TAKEN' && each.paymentId ? decision('searchMoney', name, () => search(each)) : nothing}
  ${decision('explain', name, (reason) => explain(each, reason), { needsReason: true })}`;

async function search({ paymentId }) {
  await call('POST', `${OPS}/${encodeURIComponent(paymentId)}/search`);
  note(t('searchBegun'));
}

/** Sends the amounts that the person has seen, because they may be others by now. */
async function explain({ provider, tradeNo, kind, amount, currency, statedAmount, statedCurrency }, reason) {
  await call('POST', `${DIFFERENCES}/decision`, { provider, tradeNo, kind, amount, currency, statedAmount, statedCurrency, reason });
  note(t('decided'));
}

const exportForm = () => html`
  <section class="card" aria-labelledby="export">
    <h2 id="export">${t('exportTrades')}</h2>
    <p class="hint">${t('exportTradesHint')}</p>
    <form class="fields" @submit=${download}>
      ${daysFields()} ${zoneField()}
      <div class="buttons wide"><button>${t('download')}</button></div>
    </form>
  </section>`;

/** The browser saves the answer, and the page stays, also if the request is refused. */
function download(event) {
  event.preventDefault();
  const query = new URLSearchParams(new FormData(event.target));
  Object.assign(document.createElement('a'), { href: `${OPS}/trades.csv?${query}`, download: 'trades.csv' }).click();
}
