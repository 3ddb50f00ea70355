/** Logs players in and out: by password, by phone, or as one of the players of a demo. */

import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { attempt, root, route, state } from './state.js';
import { t } from './texts.js';

async function enter(login) {
  const isIn = await attempt(async () => {
    await login();
    if (!api.currentPlayer().roles.includes('player')) {
      await api.logOut();
      throw new api.Refusal(403, { detail: t('notPlayer') });
    }
  });
  if (!isIn || goOnElsewhere()) {
    return;
  }
  state.codeWasSent = false;
  const running = (state.activities ?? []).filter((each) => each.state === 'DOING');
  if (!state.activity && running.length === 1) {
    location.hash = `#/activities/${running[0].activityId}`;
  } else {
    await route();
  }
}

/** Goes on with the request of another application that has sent its user here to log in. Returns whether there is one. */
export function goOnElsewhere() {
  const request = new URLSearchParams(location.search).get('continue') ?? '';
  const isOurs = request.startsWith('/oauth2/authorize?');
  if (isOurs) {
    location.replace(request);
  }
  return isOurs;
}

export async function leave() {
  await attempt(api.logOut);
  await route();
}

/** Another tab has logged in or out. */
export async function followLogin(event) {
  if (event.key === 'lottery.player') {
    if (event.newValue === null) {
      api.forget();
    } else {
      await attempt(api.resume);
    }
    await route();
  }
}

/* The views */

export function loginView() {
  if (!state.ways) {
    return nothing;
  }
  if (!state.ways.password) {
    return html`<section class="card"><p>${t(state.ways.gateway ? 'logInAtGateway' : 'logInElsewhere')}</p></section>`;
  }
  const players = state.ways.demoUsers.filter((each) => each.roles.includes('player'));
  if (players.length === 0) {
    return html`
      <section class="card" aria-labelledby="login">
        <h2 id="login">${t('logIn')}</h2>
        ${passwordForm()}
        ${state.ways.phone ? html`<details><summary>${t('byPhone')}</summary>${phoneForms()}</details>` : nothing}
      </section>`;
  }
  return html`
    <section class="card" aria-labelledby="login">
      <h2 id="login">${t('choosePlayer')}</h2>
      <p class="hint">${t('demoHint')}</p>
      <div class="buttons">
        ${players.map(({ name }) => html`
          <button class="primary demo" @click=${() => enter(() => api.logIn(name, name))}>${t('playAs', name)}</button>`)}
      </div>
      <details><summary>${t('otherName')}</summary>${passwordForm()}</details>
    </section>`;
}

function passwordForm() {
  const submit = (event) => {
    event.preventDefault();
    const { name, password } = event.target.elements;
    enter(() => api.logIn(name.value.trim(), password.value));
  };
  return html`
    <form class="password" @submit=${submit}>
      <label>${t('name')} <input name="name" required maxlength="200" autocomplete="username"></label>
      <label>${t('password')}
        <input name="password" type="password" required maxlength="200" autocomplete="current-password"></label>
      <button class="primary">${t('logIn')}</button>
    </form>`;
}

function phoneForms() {
  const send = (event) => {
    event.preventDefault();
    attempt(async () => {
      await api.sendCode(event.target.elements.phone.value);
      state.codeWasSent = true;
    });
  };
  const submit = (event) => {
    event.preventDefault();
    const phone = root.querySelector('form.phone').elements.phone.value;
    enter(() => api.logInByPhone(phone, event.target.elements.code.value));
  };
  return html`
    <form class="phone" @submit=${send}>
      <label>${t('phone')}
        <input name="phone" type="tel" required pattern="\\+[1-9][0-9]{6,14}" title=${t('phoneHint')} autocomplete="tel">
      </label>
      <button>${t('sendCode')}</button>
    </form>
    ${state.codeWasSent
      ? html`<p class="hint" role="status">${t('codeSent')}</p>
          <form @submit=${submit}>
            <label>${t('code')}
              <input name="code" required pattern="[0-9]{6}" inputmode="numeric" autocomplete="one-time-code"></label>
            <button class="primary">${t('logIn')}</button>
          </form>`
      : nothing}`;
}
