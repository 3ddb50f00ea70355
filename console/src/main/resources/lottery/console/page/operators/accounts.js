/** Accounts of people and systems: found by name, given, changed, locked and unlocked. */

import { html, nothing } from '../lit-html.js';
import { Refusal, call, read } from '../api.js';
import { time } from '../language.js';
import { checks, field, problemsOf, textOr } from './forms.js';
import { ask, attempt, busy, has, note, state } from './state.js';
import { t, word } from './texts.js';

const OPS = '/api/v1/ops';
const PAGE = 50;
const CHANGES = 20;
const NAME_LENGTH_MAX = 200;
const ROLES = ['operator', 'approver', 'desk', 'auditor', 'admin', 'front', 'payments', 'fulfilment', 'metrics', 'player'];

const accountPath = (name) => `${OPS}/accounts/${encodeURIComponent(name)}`;

const listPath = (name, limit, cursor) =>
  `${OPS}/accounts?${new URLSearchParams({ limit, ...(name ? { name } : {}), ...(cursor ? { cursor } : {}) })}`;

const mayRead = () => has('admin', 'auditor');

export const page = {
  title: () => t('accounts'),

  // Nobody asks for it again and again: the lottery notes who has read what about persons.

  async load(shown) {
    const name = shown?.name ?? state.data?.name ?? '';
    const [found, known] = mayRead()
      ? await Promise.all([read(listPath(name, PAGE)), read(`${OPS}/account-changes?limit=${CHANGES}`)])
      : [{ accounts: [] }, { changes: [] }];
    return { name, accounts: found.accounts, next: found.next, changes: known.changes };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('accounts')}</h1>
      ${has('admin') ? html`<button class="primary" @click=${() => askForAccount(null)}>${t('newAccount')}</button>` : nothing}</div>
    <p class="hint">${t(has('admin') ? 'accountsHint' : mayRead() ? 'accountsReadHint' : 'accountsDeskHint')}</p>
    ${mayRead() ? listView(data) : lockForm()}`,
};

const listView = (data) => html`
  <form class="card inline" @submit=${search}>
    <label><span>${t('nameBegins')}</span><input name="beginning" maxlength=${NAME_LENGTH_MAX} autocomplete="off" .value=${data.name}></label>
    <button>${t('search')}</button>
  </form>
  ${data.accounts.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
  <ul class="rows card accounts">
    ${data.accounts.map((each) => html`
      <li><span class="grow">${each.name}</span>
        ${each.roles.map((role) => html`<span class="tag">${word(role)}</span>`)}
        ${each.locked ? html`<span class="tag refused">${t('isLocked')}</span>` : nothing}
        ${has('admin') ? buttons(each) : nothing}</li>`)}
  </ul>
  ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}
  <section class="card" aria-labelledby="changes">
    <h2 id="changes">${t('accountChanges')}</h2>
    <ul class="list">
      ${data.changes.map((each) => html`
        <li><span class="grow"><strong>${each.account}</strong> <small>${word(`C_${each.change}`)} · ${each.roles.map(word).join(', ')}</small>
            <small class="cause">${[each.actor, each.reason].filter(Boolean).join(' · ')}</small></span><small class="when">${time(each.at)}</small></li>`)}
    </ul>
  </section>`;

function buttons(account) {
  const lock = account.locked ? 'unlock' : 'lock';
  return html`
    <span class="buttons">
      <button aria-label="${t('edit')}: ${account.name}" aria-disabled=${busy()} @click=${() => askForAccount(account)}>${t('edit')}</button>
      <button class=${account.locked ? '' : 'plain-grave'} aria-label="${t(lock)}: ${account.name}" aria-disabled=${busy()}
        @click=${() => (account.locked ? askToUnlock : askToLock)(account.name)}>${t(lock)}</button>
    </span>`;
}

function search(event) {
  event.preventDefault();
  const name = event.target.elements.beginning.value.trim();
  return attempt(async () => {
    state.data = await page.load({ name });
  });
}

async function more(data) {
  const { accounts, next } = await read(listPath(data.name, PAGE, data.next));
  Object.assign(data, { accounts: [...data.accounts, ...accounts], next });
}

/** The desk may lock players only, and sees no list. */
const lockForm = () => html`
  <section class="card" aria-labelledby="lock">
    <h2 id="lock">${t('lockPlayer')}</h2>
    <form class="fields" @submit=${(event) => {
      event.preventDefault();
      const name = event.target.elements.account.value.trim();
      (event.submitter.name === 'unlock' ? askToUnlock : askToLock)(name);
    }}>
      <label><span>${t('name')}</span><input name="account" required maxlength=${NAME_LENGTH_MAX} autocomplete="off"></label>
      <div class="buttons wide"><button name="lock" class="plain-grave">${t('lock')}</button><button name="unlock">${t('unlock')}</button></div>
    </form>
  </section>`;

const askToLock = (name) =>
  ask({
    title: t('lock'),
    text: t('sure_lock', name),
    label: t('lock'),
    isGrave: true,
    needsReason: true,
    act: async (reason) => {
      await call('POST', `${accountPath(name)}/lock`, { reason });
      note(t('accountLocked', name));
    },
  });

const askToUnlock = (name) =>
  ask({
    title: t('unlock'),
    text: t('sure_unlock', name),
    label: t('unlock'),
    act: async () => {
      await call('DELETE', `${accountPath(name)}/lock`);
      note(t('accountUnlocked', name));
    },
  });

/** Asks for a new account, or for what changes of one. */
function askForAccount(account) {
  const form = { problems: new Map() };
  const roles = [...ROLES, ...(account?.roles ?? []).filter((each) => !ROLES.includes(each))];
  const model = { name: account?.name ?? '', roles: account?.roles ?? [], types: '', password: '', phone: '' };
  const unchanged = account ? t('unchanged') : '';
  ask({
    title: account ? t('accountOf', account.name) : t('newAccount'),
    text: () => html`
      <div class="fields">
        ${account ? nothing : field(form, model, 'name', t('name'), { isRequired: true, maxlength: NAME_LENGTH_MAX, autocomplete: 'off' })}
        ${checks(form, model, 'roles', t('roles'), roles.map((each) => [each, word(each)]))}
        ${field(form, model, 'types', t('fulfilmentTypes'), { hint: t('fulfilmentTypesHint'), autocomplete: 'off' })}
        ${field(form, model, 'password', t('password'), { type: 'password', maxlength: NAME_LENGTH_MAX, autocomplete: 'new-password', hint: unchanged || t('passwordHint') })}
        ${field(form, model, 'phone', t('phone'), { type: 'tel', maxlength: 16, autocomplete: 'off', hint: unchanged || '+8613800000000' })}
      </div>`,
    label: t('save'),
    act: async () => {
      const name = account?.name ?? model.name.trim();
      let saved;
      try {
        if (!account) {
          await requireNew(name);
        }
        ({ content: saved } = await call('PUT', accountPath(name), {
          roles: [...model.roles, ...typesOf(model).map((each) => `fulfilment:${each}`)],
          password: model.password || undefined,
          phone: textOr(model.phone),
        }));
      } catch (failure) {
        form.problems = problemsOf(failure.findings ?? []);
        throw failure;
      }
      note(t(saved.proposalId ? 'accountProposed' : 'accountSaved', name));
    },
  });
}

const typesOf = (model) => model.types.split(/[\s,，]+/).filter(Boolean);

/** The same request would change an account that is there. */
async function requireNew(name) {
  const { accounts } = await read(listPath(name, 1));
  if (accounts[0]?.name === name) {
    throw new Refusal(409, { detail: t('accountExists', name), findings: [{ pointer: '/name', message: t('accountExists', name) }] });
  }
}
