/** Reads what a player has in an activity: chances, awards, credits, sign-ins and entries. Signs the player in. */

import * as api from './api.js';
import { hasSignIn } from './earn.js';
import { placed } from './pool.js';
import { accountPath, activityPath, attempt, forgetMine, show, state, user, visitNow } from './state.js';
import { t } from './texts.js';
import { tellWinners } from './winners.js';

const AWARDS_PER_PAGE = 5;
const ENTRIES_SHOWN = 10;

/** Rebates are given after the answer to a sign-in: the page looks for them at these times. */
const REBATES_AFTER = [500, 1_500, 4_000];

export async function loadMine(position) {
  const isStill = visitNow();
  if (!api.currentPlayer()) {
    forgetMine();
    return;
  }
  const [awards, chances, wins, credits, calendar, orders] = await Promise.all([
    api.readAfter(`${activityPath()}/awards?userId=${user()}`, position),
    api.readAfter(accountPath(), position),
    api.readAfter(`${accountPath()}/awards?limit=${AWARDS_PER_PAGE}`, position),
    offers().length > 0 ? api.readAfter(`/api/v1/users/${user()}/credits`, position) : null,
    hasSignIn(state.earning) ? api.readAfter(`/api/v1/users/${user()}/sign-ins`, position) : null,
    state.pool ? api.readAfter(`${accountPath()}/raffle-orders?limit=${ENTRIES_SHOWN}`, position) : null,
  ]);
  if (orders && isStill()) {
    await loadPlaces(orders, isStill);
  }
  if (isStill()) {
    const { items, next = null } = wins;
    Object.assign(state, { awards, chances, wins: items, next, credits: credits?.balance ?? null, calendar });
  }
}

/** Shows the entries of the player, with their places once they have some. */
async function loadPlaces({ items, next }, isStill) {
  const entries = items.filter((each) => each.entryNo !== undefined);
  const known = await placed(state.activity.activityId, state.pool, entries, state.entries);
  if (isStill()) {
    Object.assign(state, { entries: known, hasMoreEntries: next !== undefined });
  }
}

/** What an offer is called: its title, or else its chances or its content. */
export const labelOf = (offer) => offer.title ?? (offer.total > 0 ? t('left', offer.total) : offer.entitlement);

/** What players can buy for credits themselves. */
export const offers = () => (state.activity.skus ?? []).filter((each) => each.priceCredits !== undefined);

export const chancesLeft = () =>
  state.chances ? Math.min(state.chances.total.left, state.chances.month.left, state.chances.day.left) : 0;

export async function loadMore() {
  const { next } = state;
  const isStill = visitNow();
  // A second click asks for nothing.
  state.next = null;
  try {
    const more = await api.read(`${accountPath()}/awards?limit=${AWARDS_PER_PAGE}&cursor=${encodeURIComponent(next)}`);
    if (isStill()) {
      state.wins = [...state.wins, ...more.items];
      state.next = more.next ?? null;
    }
  } catch (failure) {
    if (isStill()) {
      state.next = next;
    }
    throw failure;
  }
}

export async function signIn() {
  if (state.phase) {
    return;
  }
  const isStill = visitNow();
  state.phase = 'signing';
  const isDone = await attempt(async () => {
    show();
    const { position } = await api.call('POST', `/api/v1/users/${user()}/sign-ins`, {});
    if (isStill()) {
      await loadMine(position);
    }
  }, isStill);
  state.phase = '';
  tellWinners();
  show();
  for (const after of isDone ? REBATES_AFTER : []) {
    setTimeout(() => isStill() && !state.phase && attempt(() => loadMine()), after);
  }
}
