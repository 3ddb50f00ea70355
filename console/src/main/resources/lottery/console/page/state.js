/** The state of the page for players, and the ways to change it. */

import * as api from './api.js';
import { t } from './texts.js';

export const root = document.getElementById('app');

export const state = {
  ways: null,
  activities: null,
  activity: null,
  odds: null,
  /** What earns chances here; see earn.js. */
  earning: [],
  /** This month's sign-ins of the player. */
  calendar: null,
  awards: [],
  hasNothing: false,
  chances: null,
  credits: null,
  /** The providers of payments, if something here costs money. */
  providers: [],
  wins: null,
  next: null,
  winners: [],
  /** Of an activity that is drawn at one time: how its pool stands, and the player's newest entries in it. */
  pool: null,
  entries: null,
  hasMoreEntries: false,
  /** '', 'asking' until the server has drawn, 'turning' until the wheel stands; 'buying', 'signing' or 'entering' meanwhile. */
  phase: '',
  result: null,
  message: '',
  isUnanswered: false,
  codeWasSent: false,
  dialog: null,
};

let render = () => {};
let navigate = async () => {};

export function onShow(renderer) {
  render = renderer;
}

export function onRoute(router) {
  navigate = router;
}

export const show = () => render();

/** Opens what the address of the page says. */
export const route = () => navigate();

/**
 * Runs something, and shows why it did not work. Returns whether it did.
 *
 * @param isStill says whether a failure still concerns whoever looks at the page
 */
export async function attempt(work, isStill = () => true) {
  state.message = '';
  try {
    await work();
    return true;
  } catch (failure) {
    if (isStill()) {
      fail(failure);
    }
    return false;
  } finally {
    show();
  }
}

export function fail(failure) {
  if (failure instanceof api.Refusal && failure.status === 401 && api.currentPlayer()) {
    api.forget();
    forgetMine();
    state.message = t('expired');
  } else if (failure instanceof api.Refusal) {
    state.message = failure.message;
  } else if (failure instanceof api.Unreachable) {
    state.message = t('unreachable');
  } else {
    console.error(failure);
    state.message = t('failed', failure.message);
  }
}

export function forgetMine() {
  state.chances = null;
  state.entries = null;
  state.credits = null;
  state.calendar = null;
  state.wins = null;
  state.next = null;
  state.result = null;
  state.isUnanswered = false;
  // Everybody may see what there is to win, and nobody's locks.
  state.awards = (state.odds?.awards ?? []).map((award, sort) => ({ ...award, sort, unlocked: true }));
}

export const activityPath = () => `/api/v1/activities/${state.activity.activityId}`;
export const user = () => encodeURIComponent(api.currentPlayer().name);
export const accountPath = () => `${activityPath()}/accounts/${user()}`;
export const isHere = (activity) => state.activity?.activityId === activity?.activityId;

/** Returns a function that says whether the page still shows the same activity to the same player. */
export function visitNow() {
  const { activity } = state;
  const name = api.currentPlayer()?.name;
  return () => isHere(activity) && api.currentPlayer()?.name === name;
}

/** Other tabs of this browser wait for their turn. */
export const inTurn = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : work());

/** Returns what says why something waits, as long as that concerns whoever looks at the page. */
export const waiting = (isStill) => (why) => {
  if (isStill()) {
    state.message =
      why.state === 'QUEUED' ? t('queued', why.position) : t(why instanceof api.Unreachable ? 'retrying' : 'busy');
    show();
  }
};

export const nameOf = (award) => (award.amount ? `${award.title} (${award.amount})` : award.title);

export function closeDialog() {
  if (state.dialog) {
    state.dialog = null;
    show();
  }
}
