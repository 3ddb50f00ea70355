/** Draws and buys chances, and shows what a draw has brought. */

import { html, nothing } from './lit-html.js';
import { chancesLeft, labelOf, loadMine, offers } from './account.js';
import { currentPlayer } from './api.js';
import { buy, draw, pendingOf } from './draws.js';
import { moneyOffersView } from './payments.js';
import { checkDraw } from './proof.js';
import { attempt, fail, inTurn, nameOf, root, show, state, visitNow, waiting } from './state.js';
import { t } from './texts.js';
import { fieldsOf, icon, turnTo, wheel } from './wheel.js';
import { tellWinners } from './winners.js';

const AT_ONCE_MAX = 10;

const rateOf = (each) => Number(state.odds?.awards.find((award) => award.awardId === each.award.awardId)?.rate ?? 1);

/** The draw that the wheel turns to: of several the rarest award, and a consolation if there is nothing else. */
function finest(draws) {
  const awarded = draws.filter((each) => each.award);
  const real = awarded.filter((each) => each.outcome === 'WON');
  const won = real.length > 0 ? real : awarded;
  return won.length === 0 ? draws.at(-1) : won.reduce((one, other) => (rateOf(other) < rateOf(one) ? other : one));
}

/** @param count how many draws; null to ask only for the draw that has no answer yet */
async function play(count) {
  if (state.phase) {
    return;
  }
  const { activityId } = state.activity;
  const { name } = currentPlayer();
  const isStill = visitNow();
  Object.assign(state, { phase: 'asking', result: null, message: '', isUnanswered: false });
  show();
  try {
    const answer = await inTurn(`lottery.draw.${activityId}`, () => draw(name, activityId, count, waiting(isStill)));
    if (answer && isStill()) {
      const best = finest(answer.draws);
      state.hasNothing ||= !best.award;
      Object.assign(state, { phase: 'turning', message: '' });
      show();
      await turnTo(root, fields(), best.award?.awardId ?? null);
    }
    if (isStill()) {
      state.result = answer;
      await loadMine(answer?.position);
    }
  } catch (failure) {
    if (isStill()) {
      fail(failure);
      await loadMine().catch(() => {});
    }
  }
  if (isStill()) {
    state.isUnanswered = pendingOf(activityId) !== null;
  }
  state.phase = '';
  tellWinners();
  show();
}

async function purchase(offer) {
  if (state.phase) {
    return;
  }
  const { activityId } = state.activity;
  const { name } = currentPlayer();
  const isStill = visitNow();
  state.phase = 'buying';
  await attempt(async () => {
    show();
    const { position } = await buy(name, activityId, offer.sku, waiting(isStill));
    if (isStill()) {
      state.message = '';
      await loadMine(position);
    }
  }, isStill);
  state.phase = '';
  tellWinners();
  show();
}

const fields = () => fieldsOf(state.awards, state.hasNothing);

/* The views */

export const playView = () => html`
  ${wheel(fields(), ['asking', 'turning'].includes(state.phase))}
  <div class="outcome" aria-live="polite">${outcomeView()}</div>
  ${currentPlayer() ? drawView() : nothing}`;

function drawView() {
  const left = chancesLeft();
  const several = Math.min(AT_ONCE_MAX, left);
  const isOpen = state.activity.state === 'DOING';
  const isOff = state.phase !== '' || !isOpen || state.isUnanswered;
  return html`
    ${state.isUnanswered && !state.phase
      ? html`<p class="message">${t('unanswered')} <button @click=${() => play(null)}>${t('again')}</button></p>`
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
    ${isOpen ? html`${offersView()} ${moneyOffersView()}` : html`<p class="hint">${t(state.activity.state === 'PAUSED' ? 'pausedNow' : 'notOpen')}</p>`}
    ${isOpen && state.chances && left < 1 && !state.phase ? html`<p class="hint">${t('noChances')}</p>` : nothing}`;
}

export function offersView() {
  if (offers().length === 0 || state.credits === null) {
    return nothing;
  }
  return html`
    <div class="offers">
      <small>${t('credits', state.credits)}</small>
      ${offers().map((each) => html`
        <button class="buy" ?disabled=${state.phase !== '' || Number(state.credits) < Number(each.priceCredits)}
          @click=${() => purchase(each)}>${t('buy', labelOf(each), each.priceCredits)}</button>`)}
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
  const rest = notDrawn
    ? html`<p class="hint">${t({ ACTIVITY_FULL: 'notDrawnFull', BUDGET_REACHED: 'notDrawnBudget' }[notDrawn.code] ?? 'notDrawn', notDrawn.count)}</p>`
    : nothing;
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
