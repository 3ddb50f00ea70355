/** Shows the awards of an activity and those of the player, with their codes, texts and claims. */

import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { loadMine, loadMore } from './account.js';
import { closeButton } from './dialog.js';
import { percent, time } from './language.js';
import { checkWin } from './proof.js';
import { attempt, closeDialog, fail, nameOf, show, state, visitNow } from './state.js';
import { t } from './texts.js';
import { icon } from './wheel.js';

/** Addresses that were given in this visit: the award stays as it is until it is sent. */
const claimed = new Set();

async function showCode(win) {
  const isStill = visitNow();
  const { code } = await api.read(`/api/v1/award-records/${encodeURIComponent(win.awardRecordId)}/code`);
  if (isStill()) {
    state.dialog = { kind: 'code', code };
  }
}

async function showText(win) {
  const isStill = visitNow();
  const { text } = await api.read(`/api/v1/award-records/${encodeURIComponent(win.awardRecordId)}`);
  if (isStill()) {
    state.dialog = { kind: 'text', title: nameOf(win.award), text: text ?? t('noText') };
  }
}

function openClaim(win) {
  state.dialog = { kind: 'claim', awardRecordId: win.awardRecordId, title: nameOf(win.award), problem: '' };
  show();
}

async function claim(event, awardRecordId) {
  event.preventDefault();
  const form = Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value.trim() !== ''));
  const { dialog } = state;
  const isStill = visitNow();
  dialog.problem = '';
  try {
    const path = `/api/v1/award-records/${encodeURIComponent(awardRecordId)}/claim`;
    const { position } = await api.call('POST', path, form);
    claimed.add(awardRecordId);
    if (isStill()) {
      state.dialog = { kind: 'claimed' };
      await loadMine(position);
    }
  } catch (failure) {
    if (isStill()) {
      fail(failure);
      dialog.problem = state.message;
      state.dialog = api.currentPlayer() ? state.dialog : null;
    }
  }
  show();
}

/* The views */

export const awardsView = () => html`
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

export const mineView = () => html`
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

export function claimView({ awardRecordId, title, problem }) {
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

export function claimedView() {
  return html`<h2 id="dialog-title" tabindex="-1" autofocus>${t('claimed')}</h2>${closeButton()}`;
}

export function textView({ title, text }) {
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
    <p class="said">${text}</p>
    ${closeButton()}`;
}

export function codeView({ code, isCopied }) {
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
