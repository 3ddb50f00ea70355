/** The state of the page for operators, and the ways to change it. */

import { nothing } from '../lit-html.js';
import { Refusal, Unreachable } from '../api.js';
import { t } from './texts.js';

/** What the lottery calls people who work with it. */
export const STAFF = ['operator', 'approver', 'desk', 'auditor', 'admin'];

export const state = {
  ways: null,
  /** Who has logged in: {name, roles}. */
  person: null,
  /** The module of the page that is shown, with the parts of its address, and what it has read. */
  page: null,
  parts: [],
  data: null,
  message: '',
  notice: '',
  isBusy: false,
  /** Whether the last request was about a version that is not the newest one. */
  isStale: false,
  dialog: null,
};

let render = () => {};
let visit = 0;

export function onShow(renderer) {
  render = renderer;
}

export const show = () => render();

export const has = (...roles) => roles.some((role) => state.person?.roles.includes(role));

export const staffRolesOf = (person) => STAFF.filter((role) => person.roles.includes(role));

/** The value of aria-disabled for a button that does nothing meanwhile. It keeps the focus, which a disabled one loses. */
export const busy = () => (state.isBusy ? 'true' : nothing);

/** Runs something, and says why it did not work. Returns whether it did. A second click meanwhile does nothing. */
export async function attempt(work) {
  if (state.isBusy) {
    return false;
  }
  Object.assign(state, { isBusy: true, isStale: false, message: '', notice: '' });
  show();
  try {
    await work();
    return true;
  } catch (failure) {
    state.message = textOf(failure);
    state.isStale = failure instanceof Refusal && failure.status === 412;
    return false;
  } finally {
    state.isBusy = false;
    show();
    document.querySelector('[role=alert] > .message')?.scrollIntoView({ block: 'nearest' });
  }
}

/** Says why something did not work. A session that has ended sends its person to the login. */
export function textOf(failure) {
  if (failure instanceof Refusal && failure.status === 401 && state.person) {
    Object.assign(state, { person: null, dialog: null });
    return t('expired');
  }
  if (failure instanceof Refusal) {
    return failure.message;
  }
  if (failure instanceof Unreachable) {
    return t('unreachable');
  }
  console.error(failure);
  return t('failed', failure.message);
}

/** Reads what a page shows. What comes for an earlier page is dropped. */
export async function open(page, parts) {
  visit += 1;
  const own = visit;
  Object.assign(state, { page, parts, data: null, message: '', dialog: null });
  show();
  await refresh(own);
}

export const reload = () => refresh(visit);

async function refresh(own) {
  const { page, parts } = state;
  try {
    const data = await page.load(...parts);
    if (own === visit) {
      state.data = data;
    }
  } catch (failure) {
    if (own === visit) {
      state.message = textOf(failure);
    }
  }
  if (own === visit) {
    show();
  }
}

/** Reads the page again while it is looked at, if it wants that. Nothing is asked for by a tab that is hidden. */
export function keepFresh(period) {
  let isAsking = false;
  setInterval(async () => {
    if (!state.page?.isLive?.(state.data) || document.hidden || isAsking || state.isBusy || !state.person) {
      return;
    }
    isAsking = true;
    const own = visit;
    try {
      const data = await state.page.load(...state.parts, state.data);
      if (own === visit) {
        Object.assign(state, { data, message: '' });
      }
    } catch (failure) {
      if (own === visit) {
        state.message = textOf(failure);
      }
    } finally {
      isAsking = false;
    }
    show();
  }, period);
}

/** Asks for a second click, and for a reason if the decision needs one. */
export function ask({ title, text, label, isGrave = false, needsReason = false, fields = null, act }) {
  state.dialog = { title, text, label, isGrave, needsReason, fields, act, problem: '' };
  show();
}

export function tell(title, content) {
  state.dialog = { title, content };
  show();
}

export function closeDialog() {
  if (state.dialog) {
    state.dialog = null;
    show();
  }
}

export function note(text) {
  state.notice = text;
}

export const go = (address) => {
  location.hash = address;
};
