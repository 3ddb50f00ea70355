/** Proves draws and entries in a dialog: each step is computed by this browser. */

import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import * as check from './check.js';
import { closeButton } from './dialog.js';
import { number } from './language.js';
import { stepsOf as entrySteps } from './pool.js';
import { nameOf, state, visitNow } from './state.js';
import { t } from './texts.js';

const orderOf = (win) => win.awardRecordId.replace(/^award:/, 'order:');

export async function checkDraw(orderId) {
  const isStill = visitNow();
  const proof = await api.read(`/api/v1/raffle-orders/${encodeURIComponent(orderId)}/proof`);
  // The odds and the seed of now: the activity may have been closed in the meantime.
  const odds = await api.read(`/api/v1/activities/${proof.activityId}/odds`);
  const steps = check.canCompute() ? await stepsOf(proof, odds) : [];
  if (isStill()) {
    state.dialog = { kind: 'check', proof, steps };
  }
}

export async function checkEntry(entry) {
  const { activityId } = state.activity;
  const isStill = visitNow();
  const steps = check.canCompute() ? await entrySteps(activityId, entry) : [];
  if (isStill()) {
    state.dialog = { kind: 'check', entry, steps };
  }
}

/** Wins of a pool are proved by their entries. */
export async function checkWin(win) {
  const orderId = orderOf(win);
  if (!state.pool) {
    await checkDraw(orderId);
    return;
  }
  const { entryNo } = await api.read(`/api/v1/raffle-orders/${encodeURIComponent(orderId)}`);
  await checkEntry({ orderId, entryNo });
}

async function stepsOf(proof, odds) {
  const { inputs, recorded } = proof;
  const round = odds.rounds?.find((each) => each.round === inputs.round);
  const seed = round?.seed;
  const commitment = round?.commitment ?? inputs.commitment;
  const promise = { title: t('stepPromise'), text: t('stepPromiseText'), values: [[t('commitment'), commitment]] };
  if (inputs.roundCommitment) {
    const published = round?.strategies?.find((each) => each.strategyVersion === inputs.strategyVersion);
    const computed = await check.roundCommitmentOf(proof.activityId, { ...inputs, commitment });
    promise.values.push([t('roundCommitment'), inputs.roundCommitment]);
    promise.agrees = computed === inputs.roundCommitment && published?.roundCommitment === computed;
  }
  const steps = [promise];
  if (seed) {
    const agrees = (await check.commitmentOf(seed)) === commitment;
    steps.push({ title: t('stepSeed'), text: t('stepSeedText'), values: [[t('seed'), seed]], agrees });
  } else {
    steps.push({ title: t('stepSeed'), text: t('stepSeedSecret'), isPending: true });
  }
  steps.push({
    title: t('stepTicket'),
    text: seed ? t('stepTicketText') : t('stepTicketSecret'),
    values: [[t('order'), proof.orderId], [t('ticket'), inputs.ticket]],
    ...(seed ? { agrees: (await check.ticketOf(seed, proof.orderId)) === inputs.ticket } : { isPending: true }),
  });
  const isSameVersion = odds.strategyId === inputs.strategyId && odds.strategyVersion === inputs.strategyVersion;
  const picked = isSameVersion ? await check.pick(odds, inputs) : null;
  if (!picked) {
    steps.push({ title: t('stepPick'), text: t('stepPickUnknown', inputs.strategyVersion) });
    return steps;
  }
  const pickedName = picked.award?.title ?? t('noAward');
  const numbers = [picked.column, picked.columns, picked.height, picked.whole, picked.threshold];
  steps.push({
    title: t('stepPick'),
    text: t('stepPickText', pickedName),
    more: picked.column === undefined ? '' : t('stepPickNumbers', ...numbers.map((each) => number(each))),
  });
  steps.push(rulesStep(picked.award, inputs, recorded));
  return steps;
}

const ruleOf = (awardId, { held = [], overBudget = [] }) =>
  held.includes(awardId) ? 'ruleHeld' : overBudget.includes(awardId) ? 'ruleOverBudget' : 'ruleTaken';

function rulesStep(award, inputs, recorded) {
  const lockedUntil = state.awards.find((each) => each.awardId === award?.awardId)?.lockedUntilDraws ?? 0;
  const isTaken = award !== null && check.isUnavailable(inputs)(award.awardId);
  const isLocked = award !== null && lockedUntil > inputs.drawsBeforeToday;
  const isSame = (recorded.award?.awardId ?? null) === (award?.awardId ?? null);
  const isExpected = isTaken || isLocked ? recorded.outcome !== 'WON' : isSame;
  const lines = [];
  if (isTaken) {
    lines.push(t(ruleOf(award.awardId, inputs), award.title));
  }
  if (isLocked) {
    lines.push(t('ruleLocked', lockedUntil, award.title));
  }
  if (award && !isTaken && !isLocked) {
    lines.push(t('ruleFree', award.title));
  }
  if (!isExpected) {
    lines.push(t('ruleOther'));
  }
  lines.push(t('ruleResult', recorded.award ? nameOf(recorded.award) : t('noAward')));
  return { title: t('stepRules'), text: lines.join(' '), ...(isExpected ? { agrees: true } : {}) };
}

/* The views */

export function checkView({ proof, steps }) {
  return html`
    <h2 id="dialog-title" tabindex="-1" autofocus>${t('check')}</h2>
    <p class="hint">${steps.length > 0 ? t('checkIntro') : t('checkNoCrypto')}</p>
    <ol class="steps">${steps.map(stepView)}</ol>
    ${proof
      ? html`<h3>${t('why')}</h3>
          <ul class="why">${proof.why.map((reason) => html`<li>${reason}</li>`)}</ul>`
      : nothing}
    ${closeButton()}`;
}

function stepView({ title, text, more, values = [], agrees, isPending }) {
  const verdict = isPending ? 'pending' : agrees === undefined ? '' : agrees ? 'agrees' : 'differs';
  return html`
    <li class=${verdict}>
      <h3>${title} ${verdict ? html`<span class="tag">${t(verdict)}</span>` : nothing}</h3>
      <p>${text}</p>
      ${more ? html`<p class="hint">${more}</p>` : nothing}
      ${values.length > 0
        ? html`<dl>${values.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`
        : nothing}
    </li>`;
}
