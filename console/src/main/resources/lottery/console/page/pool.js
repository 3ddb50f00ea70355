/** Shows an activity that is drawn at one time: the time that is left, the entries of the player, and their proofs. */

import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import * as check from './check.js';
import { number, time } from './language.js';
import { t } from './texts.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Between two looks at a pool that is about to change. A crowd should not look at the same moment. */
const LOOK_MIN = 2_000;
const LOOK_SPREAD = 4_000;
const LOOK_MAX = 60_000;

/** The states behind which nothing is drawn any more. */
const ENDED = ['DRAWN', 'CANCELLED'];

/** Returns when the pool goes on: {at, name}; null if it has come to its end. */
export function nextStep({ state, entriesCloseAt, drawAt }) {
  if (ENDED.includes(state)) {
    return null;
  }
  return state === 'OPEN' ? { at: entriesCloseAt, name: 'entriesCloseIn' } : { at: drawAt, name: 'drawIn' };
}

/** Returns the time until an instant as days, hours, minutes and seconds; never less than nothing. */
export function timeLeft(instant, now) {
  const millis = Math.max(0, new Date(instant) - now);
  return {
    days: Math.floor(millis / DAY),
    clock: [(millis % DAY) / HOUR, (millis % HOUR) / MINUTE, (millis % MINUTE) / SECOND]
      .map((part) => String(Math.floor(part)).padStart(2, '0'))
      .join(':'),
  };
}

/** Whether entries can be made now, as far as this page knows. The lottery's clock decides, and not this browser's. */
export const takesEntries = (activity, pool) => activity.state === 'DOING' && pool.state === 'OPEN';

/** Whether all is known that the draw decides about the entries of the player. */
const isDecided = (pool, entries) =>
  pool.state === 'CANCELLED' ||
  (pool.state === 'DRAWN' &&
    (entries ?? []).every(({ place, awardId }) => place !== undefined && (place > pool.winners || awardId !== undefined)));

/**
 * How long to wait until the next look at a pool; null if it will not change.
 *
 * @param vain how many looks have found nothing new
 */
export function lookAfter(pool, entries, now, vain) {
  if (isDecided(pool, entries)) {
    return null;
  }
  const step = nextStep(pool);
  const pause = Math.min(LOOK_MAX, (LOOK_MIN + Math.random() * LOOK_SPREAD) * 2 ** vain);
  return pause + (step ? Math.max(0, new Date(step.at) - now) : 0);
}

const proofPath = (activityId, entryNo) => `/api/v1/activities/${activityId}/entries/${entryNo}/proof`;

/** Returns the entries with the places that they have, once they are drawn. What is not known now is looked for later. */
export async function placed(activityId, pool, entries, known) {
  const all = [];
  for (const entry of entries) {
    const before = (known ?? []).find(({ entryNo, awardId }) => entryNo === entry.entryNo && awardId !== undefined);
    if (pool.state !== 'DRAWN' || before) {
      all.push({ ...before, ...entry });
    } else {
      // One after the other: a crowd of pages asks for these at the same time.
      const { place, awardId, reserve } = await api.read(proofPath(activityId, entry.entryNo)).catch(() => ({}));
      all.push({ ...entry, place, awardId, reserve });
    }
  }
  return all;
}

/** Returns the steps that prove an entry, computed by this browser. */
export async function stepsOf(activityId, { entryNo, orderId }) {
  const [pool, proof] = await Promise.all([
    api.read(`/api/v1/activities/${activityId}/pool`),
    api.read(proofPath(activityId, entryNo)),
  ]);
  const leaf = await check.leafOf(activityId, entryNo, orderId);
  const root = await check.rootOf(leaf, proof.path);
  const steps = [
    {
      title: t('stepEntry'),
      text: t('stepEntryText', number(entryNo)),
      values: [[t('order'), orderId], [t('leaf'), leaf]],
      agrees: leaf === proof.leaf,
    },
    {
      title: t('stepPool'),
      text: t('stepPoolText', number(proof.entries)),
      values: [[t('root'), pool.root]],
      agrees: root === pool.root && proof.root === pool.root,
    },
  ];
  if (!proof.drawKey) {
    return [...steps, { title: t('stepLot'), text: t('stepLotSecret'), isPending: true }];
  }
  return [...steps, await keyStep(activityId, pool, proof), await lotStep(proof, leaf)];
}

/** The key follows from the seed, which is published behind the end of the activity, and was promised before. */
async function keyStep(activityId, pool, { drawKey }) {
  const odds = await api.read(`/api/v1/activities/${activityId}/odds`);
  const { seed, commitment } = odds.rounds?.find((each) => each.round === pool.round) ?? {};
  const values = [
    [t('beacon'), `${pool.beacon.source} ${pool.beacon.round}`],
    [t('beaconValue'), pool.beacon.value ?? '…'],
    [t('commitment'), commitment],
  ];
  if (!seed || !pool.beacon.value) {
    return { title: t('stepKey'), text: t('stepKeySecret'), values: [...values, [t('drawKey'), drawKey]], isPending: true };
  }
  return {
    title: t('stepKey'),
    text: t('stepKeyText'),
    values: [...values, [t('seed'), seed], [t('drawKey'), drawKey]],
    agrees: (await check.commitmentOf(seed)) === commitment && (await check.drawKeyOf(seed, activityId, pool)) === drawKey,
  };
}

async function lotStep({ drawKey, lot, place }, leaf) {
  return {
    title: t('stepLot'),
    text: t('stepLotText', number(place)),
    values: [[t('lot'), lot]],
    agrees: (await check.lotOf(drawKey, leaf)) === lot,
  };
}

/* The views */

/** @param act what the buttons do: {enter, look} */
export function poolView({ activity, pool, entries, hasMore, left, phase, now, titleOf }, act) {
  const isOpen = takesEntries(activity, pool);
  return html`
    ${clockView(pool, now)}
    ${pool.entries === undefined ? nothing : html`<p class="hint">${t('entriesInPool', pool.entries)}</p>`}
    ${entries === null ? nothing : html`
      <div class="buttons">
        <button class="primary large enter" ?disabled=${phase !== '' || left < 1 || !isOpen} @click=${act.enter}>
          ${t(phase === 'entering' ? 'entering' : 'enter')}</button>
      </div>
      ${isOpen
        ? html`<p class="chances"><strong>${t('left', left)}</strong>
            <small>${t(left < 1 ? 'noChances' : 'enterHint')}</small></p>`
        : pool.state === 'OPEN' && activity.state !== 'PAUSED' ? html`<p class="hint">${t('notOpen')}</p>` : nothing}
      ${entriesView(pool, entries, hasMore, titleOf, act)}`}`;
}

function clockView(pool, now) {
  const step = nextStep(pool);
  if (step === null) {
    return html`<p class="pool-state" role="status">${t(`pool${pool.state}`)}</p>`;
  }
  const { days, clock } = timeLeft(step.at, now);
  const isOver = new Date(step.at) <= now;
  return html`
    <div class="countdown">
      <p>${t(isOver ? `over${step.name}` : step.name)}</p>
      <p role="timer" aria-live="off"><strong>${days > 0 ? html`${t('days', days)} ` : nothing}<span>${clock}</span></strong></p>
      <p class="hint"><time datetime=${step.at}>${time(step.at)}</time></p>
    </div>`;
}

const entriesView = (pool, entries, hasMore, titleOf, act) => html`
  <section class="card entries" aria-labelledby="entries">
    <h2 id="entries">${t('yourEntries')}</h2>
    ${entries.length === 0 ? html`<p class="hint">${t('noEntries')}</p>` : nothing}
    <ul class="list" aria-live="polite">
      ${entries.map((entry) => html`
        <li class=${entry.awardId ? 'won' : ''}>
          <span class="grow">${t('entryNo', number(entry.entryNo))}
            <small>${outcomeOf(pool, entry, titleOf)}</small></span>
          ${pool.root
            ? html`<button class="quiet check" aria-label=${t('checkEntry', number(entry.entryNo))}
                @click=${() => act.look(entry)}>${t('checkShort')}</button>`
            : nothing}
        </li>`)}
    </ul>
    ${hasMore ? html`<p class="hint">${t('moreEntries')}</p>` : nothing}
  </section>`;

function outcomeOf(pool, { state, place, awardId, reserve }, titleOf) {
  if (state === 'CANCELLED') {
    return t('entryReturned');
  }
  if (place === undefined) {
    return t({ CANCELLED: 'entryReturning', DRAWN: 'entryDrawn' }[pool.state] ?? 'entryWaits');
  }
  if (awardId !== undefined) {
    return t('entryWon', titleOf(awardId), number(place));
  }
  return t(place <= pool.winners ? 'entryDrawn' : reserve ? 'entryReserve' : 'entryPlace', number(place));
}
