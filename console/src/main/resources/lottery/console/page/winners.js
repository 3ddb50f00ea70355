/** Shows the winners of an activity as they win. */

import { html, nothing } from './lit-html.js';
import { activityPath, isHere, show, state } from './state.js';
import { t } from './texts.js';
import { icon } from './wheel.js';

export const WINNERS_MAX = 8;
const FOLLOW_AGAIN = 15_000;

let stream = null;
let held = [];

export function follow() {
  stream?.close();
  const { activity } = state;
  const newest = state.winners[0]?.position;
  const source = new EventSource(`${activityPath()}/winners/stream${newest ? `?lastEventId=${newest}` : ''}`);
  stream = source;
  source.addEventListener('winner', (event) => {
    held.unshift({ ...JSON.parse(event.data), isNew: true });
    held.length = Math.min(held.length, WINNERS_MAX);
    // The list must not tell what the wheel has not shown yet.
    if (!state.phase) {
      requestAnimationFrame(tellWinners);
    }
  });
  source.addEventListener('error', () => {
    // The browser connects again by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => stream === source && isHere(activity) && follow(), FOLLOW_AGAIN);
    }
  });
}

/** Stops following, since another page is shown. */
export function stopFollowing() {
  stream?.close();
  stream = null;
  held = [];
}

export function tellWinners() {
  if (held.length > 0) {
    state.winners = [...held, ...state.winners].slice(0, WINNERS_MAX);
    held = [];
    show();
  }
}

export const winnersView = () => html`
  <section class="card" aria-labelledby="winners">
    <h2 id="winners"><span class="live" aria-hidden="true"></span>${t('winners')}</h2>
    ${state.winners.length === 0 ? html`<p class="hint">${t('noWinners')}</p>` : nothing}
    <ul class="list winners">
      ${state.winners.map((winner) => html`
        <li class=${winner.isNew ? 'new' : ''}>${icon(winner.type)}<span class="grow">${winner.title}</span>
          <small>${winner.name}</small></li>`)}
    </ul>
  </section>`;
