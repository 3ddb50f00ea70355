/** Sends draws, entries and purchases. Each has one key until it is answered, so that nobody pays twice for what he meant once. */

import { call, currentPlayer, Refusal, Unreachable } from './api.js';

const RETRIES_MAX = 4;
const PAUSE = 800;

/** The longest pause between two looks at a draw that waits, in seconds. */
const LOOK_MAX = 10;

const placeOf = (activityId) => `lottery.draw.${activityId}.${currentPlayer()?.name}`;
const placeOfEntry = (activityId) => `lottery.entry.${activityId}.${currentPlayer()?.name}`;
const placeOfPurchase = (activityId, sku) => `lottery.purchase.${activityId}.${sku}.${currentPlayer()?.name}`;

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the draw that has no answer yet, {key, count}; null if there is none. */
export function pendingOf(activityId) {
  const kept = currentPlayer() ? localStorage.getItem(placeOf(activityId)) : null;
  return kept === null ? null : JSON.parse(kept);
}

/**
 * Draws, or asks once more for the draw that has no answer yet. Returns {draws, notDrawn, position}.
 *
 * @param onWait is told the failure before each further try, and the order as long as it waits in the queue
 */
export async function draw(activityId, count, onWait) {
  const intended = pendingOf(activityId) ?? { key: newKey(), count };
  const body = intended.count === 1 ? {} : { count: intended.count };
  const sent = () => call('POST', `${accountPath(activityId)}/draws`, body, { 'Idempotency-Key': intended.key });
  const { content, position } = await once(placeOf(activityId), intended, () => drawnInTurn(sent, onWait), onWait);
  return { draws: content.draws ?? [content], notDrawn: content.notDrawn, position };
}

/** Waits for the turn of a request that was accepted into the queue. Sent again after that, it has its answer. */
async function drawnInTurn(sent, onWait) {
  let answer = await sent();
  while (answer.content.state === 'QUEUED') {
    onWait(answer.content);
    await pause(Math.min(Math.max(answer.content.expectedWaitSeconds ?? 1, 1), LOOK_MAX) * 1_000);
    const waits = await stillWaits(answer.content.orderId);
    answer = waits ? { content: waits } : await sent();
  }
  return answer;
}

/** Enters the pool of an activity that is drawn at one time. Returns {orderId, entryNo, position}. */
export async function enter(activityId, onWait) {
  const place = placeOfEntry(activityId);
  const intended = JSON.parse(localStorage.getItem(place)) ?? { key: newKey() };
  const sent = () => call('POST', `${accountPath(activityId)}/entries`, {}, { 'Idempotency-Key': intended.key });
  const { content, position } = await once(place, intended, sent, onWait);
  return { ...content, position };
}

/** Returns an order that waits; null if it does not, or if nobody knows it: then the same request is sent again. */
async function stillWaits(orderId) {
  try {
    const { content } = await call('GET', `/api/v1/raffle-orders/${orderId}`);
    return content.state === 'QUEUED' ? content : null;
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      return null;
    }
    throw failure;
  }
}

/** Buys chances for credits. Returns {position}. */
export async function buy(activityId, sku, onWait) {
  const place = placeOfPurchase(activityId, sku);
  const intended = JSON.parse(localStorage.getItem(place)) ?? { outBusinessNo: `page-${newKey()}` };
  const body = { sku, outBusinessNo: intended.outBusinessNo };
  return once(place, intended, () => call('POST', `${accountPath(activityId)}/recharges`, body), onWait);
}

const accountPath = (activityId) =>
  `/api/v1/activities/${activityId}/accounts/${encodeURIComponent(currentPlayer().name)}`;

/** Keeps what is intended until there is an answer. A refusal is one; after anything else the same is sent again. */
async function once(place, intended, sent, onWait) {
  localStorage.setItem(place, JSON.stringify(intended));
  try {
    const answer = await patiently(sent, onWait);
    localStorage.removeItem(place);
    return answer;
  } catch (failure) {
    if (failure instanceof Refusal && failure.status !== 401 && !failure.retryable) {
      localStorage.removeItem(place);
    }
    throw failure;
  }
}

async function patiently(sent, onWait) {
  for (let retry = 0; ; retry++) {
    try {
      return await sent();
    } catch (failure) {
      const isWorthIt = failure instanceof Unreachable || (failure instanceof Refusal && failure.retryable);
      if (!isWorthIt || retry === RETRIES_MAX) {
        throw failure;
      }
      onWait(failure);
      await pause(Math.max((failure.retryAfter ?? 0) * 1_000, PAUSE * 2 ** retry));
    }
  }
}
