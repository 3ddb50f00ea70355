/** Buys chances with money: a QR code, a countdown, and the payments of the player. */

import { html, nothing } from './lit-html.js';
import { labelOf, loadMine } from './account.js';
import * as api from './api.js';
import { closeButton } from './dialog.js';
import { orderPayment, payBy } from './draws.js';
import { money } from './language.js';
import { accountPath, attempt, show, state, user, visitNow, waiting } from './state.js';
import { t } from './texts.js';

const LOOK_PAUSE = 1_000;
const LISTED_MAX = 20;
const UNDER_WAY = ['WAITING', 'PAID', 'REFUND_DUE'];

const pathOf = (payment) => `/api/v1/payments/${encodeURIComponent(payment.paymentId)}`;
const titleOf = (sku) => {
  const offer = (state.activity.skus ?? []).find((each) => each.sku === sku);
  return offer ? labelOf(offer) : `SKU ${sku}`;
};

/** What players can buy with money. */
const offers = () => (state.activity.skus ?? []).filter((each) => each.price);

/** Returns the providers of payments, if there is anything to pay for. */
export async function loadProviders(activity) {
  const isPaid = (activity.skus ?? []).some((each) => each.price);
  return isPaid ? (await api.read('/api/v1/payment-providers')).providers : [];
}

const pay = (sku, provider) => start((player, activityId, onWait) => orderPayment(player, activityId, sku, provider, onWait));

/** Lets the player pay by another provider. */
const change = (payment, provider) => start((player, activityId, onWait) => payBy(player, activityId, payment, provider, onWait));

async function start(ordered) {
  if (state.phase) {
    return;
  }
  const { activityId } = state.activity;
  const { name } = api.currentPlayer();
  const isStill = visitNow();
  state.phase = 'buying';
  await attempt(async () => {
    show();
    const payment = await ordered(name, activityId, waiting(isStill));
    if (isStill()) {
      state.message = '';
      open(payment, isStill);
    }
  }, isStill);
  state.phase = '';
  show();
}

function open(payment, isStill) {
  const dialog = { kind: 'payment', payment };
  state.dialog = dialog;
  look(dialog, isStill);
}

/** Looks at a payment as long as something is under way, and the dialog is open. */
async function look(dialog, isStill) {
  const isShown = () => state.dialog === dialog && isStill();
  while (isShown() && UNDER_WAY.includes(dialog.payment.state)) {
    await new Promise((done) => setTimeout(done, LOOK_PAUSE));
    // Without an answer, the next look asks again.
    dialog.payment = await api.read(pathOf(dialog.payment)).then((now) => withLink(now, dialog.payment)).catch(() => dialog.payment);
    show();
  }
  if (isStill()) {
    await loadMine().catch(() => {});
    show();
  }
}

/** The link of the provider that the player has chosen stays, as long as the payment waits. */
const withLink = (now, before) => (now.code && before.code ? { ...now, code: before.code, provider: before.provider } : now);

async function showPayments() {
  const isStill = visitNow();
  const [{ items }, { items: contents }] = await Promise.all([
    api.read(`${accountPath()}/payments?limit=${LISTED_MAX}`),
    api.read(`/api/v1/users/${user()}/entitlements?limit=${LISTED_MAX}`),
  ]);
  if (isStill()) {
    state.dialog = { kind: 'payments', items, contents };
  }
}

async function goOn(payment) {
  const isStill = visitNow();
  const current = await api.read(pathOf(payment));
  if (isStill()) {
    open(current, isStill);
  }
}

/* The views */

export const moneyOffersView = () =>
  state.providers.length === 0 ? nothing : html`
    <div class="offers">
      ${offers().map((each) => html`
        <button class="buy pay" ?disabled=${state.phase !== ''} @click=${() => pay(each.sku, state.providers[0])}>
          ${t('pay', labelOf(each), money(each.price))}</button>`)}
    </div>`;

const givesContent = () =>
  (state.activity.skus ?? []).some((each) => each.entitlement) || state.awards.some((each) => each.type === 'ENTITLEMENT');

/** Also when nothing is sold any more: then users look for their refunds, and for what they may read. */
export const paymentsButton = () =>
  offers().length === 0 && !givesContent() ? nothing : html`<p><button class="quiet payments" @click=${() => attempt(showPayments)}>${t('payments')}</button></p>`;

export const paymentView = ({ payment }) => html`
  <h2 id="dialog-title">${t('pay', titleOf(payment.sku), money(payment))}</h2>
  ${payment.code
    ? html`
      <p>${t('scan')}</p>
      <img class="qr" src="${pathOf(payment)}/qr.png?provider=${payment.provider}" alt=${t('qrCode')} width="240" height="240">
      ${/^https?:/.test(payment.code)
        ? html`<p><a class="button pay-here" target="_blank" rel="noopener" href=${payment.code}>${t('payHere')}</a></p>`
        : nothing}
      <p class="hint" role="timer">${t('payWithin', timeLeft(payment.expiresAt))}</p>
      ${providersView(payment)}`
    : html`<p class="payment-state" role="status">${t(payment.state === 'WAITING' ? 'payEnds' : `pay_${payment.state}`)}</p>`}
  ${closeButton()}`;

/** The choice between several providers. The first one that takes the money counts. */
const providersView = (payment) =>
  state.providers.length < 2 ? nothing : html`
    <p class="buttons">
      ${state.providers.map((each) => html`
        <button class="quiet" aria-pressed=${each === payment.provider} @click=${() => change(payment, each)}>${each}</button>`)}
    </p>`;

function timeLeft(expiresAt) {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export const paymentsView = ({ items, contents }) => html`
  <h2 id="dialog-title">${t('payments')}</h2>
  ${items.length === 0 ? html`<p class="hint">${t('noPayments')}</p>` : nothing}
  <ul class="list">
    ${items.map((each) => html`
      <li><span class="grow">${titleOf(each.sku)} <small>${t(`pay_${each.state}`)}</small></span>
        <span>${money(each)}</span>
        ${each.state === 'WAITING' ? html`<button class="quiet" @click=${() => attempt(() => goOn(each))}>${t('payNow')}</button>` : nothing}
      </li>`)}
  </ul>
  ${contents.length === 0 ? nothing : html`
    <h3>${t('contents')}</h3>
    <ul class="list contents">${contents.map((each) => html`<li>${each.contentId}</li>`)}</ul>`}
  ${closeButton()}`;
