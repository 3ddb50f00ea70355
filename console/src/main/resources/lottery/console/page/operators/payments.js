/** Payments: all of them, and the decisions about money that was taken. */

import { html, nothing } from '../lit-html.js';
import { read } from '../api.js';
import { money } from '../language.js';
import { choices, forgetDecisions, proposedView, sharedDecision } from './desk.js';
import { attempt, state } from './state.js';
import { t, word } from './texts.js';

const PAGE = 50;
const STATES = ['ON_DESK', 'REFUND_DUE', 'WAITING', 'PAID', 'DELIVERED', 'EXPIRED', 'REFUNDED'];
const OPS = '/api/v1/ops/payments';

export const readPayments = (wanted, cursor) =>
  read(`${OPS}?${new URLSearchParams({ limit: PAGE, ...(wanted ? { state: wanted } : {}), ...(cursor ? { cursor } : {}) })}`);

export const page = {
  title: () => t('payments'),

  async load(shown) {
    const wanted = shown?.wanted ?? state.data?.wanted ?? '';
    const [{ items, next }, proposals] = await Promise.all([
      readPayments(wanted),
      read('/api/v1/ops/proposals?state=PROPOSED&limit=100'),
    ]);
    return { wanted, items, next, proposals: proposals.items };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('payments')}</h1>
      <button @click=${() => attempt(() => choose(data.wanted))}>${t('lookAgain')}</button></div>
    <div class="card inline">
      <label><span>${t('paymentState')}</span>
        <select name="wanted" @change=${(event) => attempt(() => choose(event.target.value))}>
          <option value="" ?selected=${data.wanted === ''}>${t('allStates')}</option>
          ${STATES.map((each) => html`<option value=${each} ?selected=${each === data.wanted}>${t(`M_${each}`)}</option>`)}
        </select></label>
    </div>
    ${data.items.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
    <ul class="rows card payments">${data.items.map(paymentView)}</ul>
    ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}`,
};

async function choose(wanted) {
  forgetDecisions();
  state.data = await page.load({ wanted });
}

async function more(data) {
  const { items, next } = await readPayments(data.wanted, data.next);
  Object.assign(data, { items: [...data.items, ...items], next });
}

/** A payment with its money. Each trade has the decisions that are possible about it. */
export const paymentView = (payment) => html`
  <li class="waits">
    <span class="grow"><strong>${payment.userId}</strong>
      <small>${money(payment)} · ${t('activityNumber', payment.activityId)} · SKU ${payment.sku} · <code>${payment.paymentId}</code></small>
      ${payment.trades.map((trade) => html`
        <small class="cause">${[trade.provider, trade.tradeNo, money(trade), word(`M_${trade.state}`), trade.reason && word(`why_${trade.reason}`), trade.cause]
          .filter(Boolean).join(' · ')}</small>`)}
      ${proposedView(payment.paymentId)}</span>
    <small class="when">${word(`M_${payment.state}`)}</small>
    <span class="buttons">${payment.trades.map((trade) => buttons(payment, trade))}</span>
  </li>`;

function buttons(payment, trade) {
  const name = `${payment.userId}, ${money(trade)}`;
  const path = `${OPS}/${encodeURIComponent(payment.paymentId)}/decision`;
  const { provider, tradeNo } = trade;
  const part = `${provider}/${tradeNo}`;
  const about = (key, kind, made) =>
    sharedDecision(key, kind, { name, subject: payment.paymentId, part, path, body: { decision: made, provider, tradeNo } });
  return ['DELIVERED', 'ON_DESK'].includes(trade.state)
    ? choices(`${payment.paymentId} ${part}`, html`
        ${about('refund', 'REFUND_PAYMENT', 'REFUND')}
        ${trade.state === 'ON_DESK' ? about('noteRefund', 'NOTE_REFUND', 'NOTE_REFUND') : nothing}`)
    : nothing;
}
