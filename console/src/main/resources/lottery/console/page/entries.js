/** Enters the pool of an activity that is drawn at one time, and follows the pool. */

import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { chancesLeft, loadMine } from './account.js';
import { enter as enterPool } from './draws.js';
import { moneyOffersView } from './payments.js';
import { offersView } from './play.js';
import { lookAfter, poolView } from './pool.js';
import { checkEntry } from './proof.js';
import { activityPath, attempt, inTurn, isHere, show, state, visitNow, waiting } from './state.js';
import { t } from './texts.js';

const CLOCK_TICK = 1_000;

/** The browsers' timers reach no further. Who stays that long looks when the page is opened again. */
const LOOK_AHEAD_MAX = 2 ** 31 - 1;

let nextLook = 0;

/** Looks at the pool again whenever it should have gone on; less and less often while it does not. */
export function followPool(vain = 0) {
  clearTimeout(nextLook);
  const { activity, pool, entries } = state;
  const after = pool ? lookAfter(pool, entries, new Date(), vain) : null;
  if (after !== null && after < LOOK_AHEAD_MAX) {
    nextLook = setTimeout(() => isHere(activity) && lookAtPool(activity, vain), after);
  }
}

/** Looks no more, since another page is shown. */
export const stopLooking = () => clearTimeout(nextLook);

async function lookAtPool(activity, vain) {
  if (document.visibilityState !== 'visible') {
    // A page that nobody sees waits until somebody does.
    document.addEventListener('visibilitychange', () => isHere(activity) && followPool(), { once: true });
    return;
  }
  const before = state.pool;
  const pool = await api.read(`${activityPath()}/pool`).catch(() => before);
  if (!isHere(activity)) {
    return;
  }
  state.pool = pool;
  if (!state.phase && (pool.state !== before.state || pool.state === 'DRAWN')) {
    await loadMine().catch(() => {});
  }
  if (isHere(activity)) {
    followPool(pool.state === before.state ? vain + 1 : 0);
    show();
  }
}

async function enterOnce() {
  if (state.phase) {
    return;
  }
  const { activity } = state;
  const { activityId } = activity;
  const { name } = api.currentPlayer();
  const isStill = visitNow();
  state.phase = 'entering';
  const isDone = await attempt(async () => {
    show();
    const { position } = await inTurn(`lottery.entry.${activityId}`, () => enterPool(name, activityId, waiting(isStill)));
    if (isStill()) {
      state.message = '';
      await loadMine(position);
    }
  }, isStill);
  state.phase = '';
  if (!isDone && isHere(activity)) {
    await lookAtPool(activity, 0);
  }
  show();
}

/** The clock of a pool goes on. */
setInterval(() => state.pool && document.visibilityState === 'visible' && show(), CLOCK_TICK);

const titleOf = (awardId) => state.odds?.awards.find((each) => each.awardId === awardId)?.title ?? String(awardId);

export const entryView = () => html`
  ${poolView(
    { ...state, hasMore: state.hasMoreEntries, left: chancesLeft(), now: new Date(), titleOf },
    { enter: enterOnce, look: (entry) => attempt(() => checkEntry(entry)) },
  )}
  ${api.currentPlayer() && state.activity.state === 'DOING' ? html`${offersView()} ${moneyOffersView()}` : nothing}
  ${state.activity.state === 'PAUSED' ? html`<p class="hint">${t('pausedNow')}</p>` : nothing}`;
