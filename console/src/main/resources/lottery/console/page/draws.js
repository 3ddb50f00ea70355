/** Sends draws, entries and purchases. Each has one key until it is answered, so that nobody pays twice for what he meant once. */

import { call, currentPlayer, Refusal, Unreachable } from './api.js';

const RETRIES_MAX = 4;
const PAUSE = 800;

/** The longest pause between two looks at a draw that waits, in seconds. */
const LOOK_MAX = 10;

const placeOf = (activityId, player) => `lottery.draw.${activityId}.${player}`;
const placeOfEntry = (activityId, player) => `lottery.entry.${activityId}.${player}`;
const placeOfPurchase = (activityId, sku, player) => `lottery.purchase.${activityId}.${sku}.${player}`;

const placeOfPayment = (activityId, sku, player) => `lottery.payment.${activityId}.${sku}.${player}`;

const keptAt = (place) => JSON.parse(localStorage.getItem(place));

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the draw that has no answer yet, {key, count}; null if there is none. */
export const pendingOf = (activityId) => (currentPlayer() ? keptAt(placeOf(activityId, currentPlayer().name)) : null);

/**
 * Draws, or asks once more for the draw that has no answer yet. Returns {draws, notDrawn, position}; null if there is
 * nothing to ask for.
 *
 * @param player the name of the player who has clicked. Somebody else may have logged in before the draw is sent
 * @param count how many draws; null to ask only for the draw that has no answer yet
 * @param onWait is told the failure before each further try, and the order as long as it waits in the queue
 */
export async function draw(player, activityId, count, onWait) {
  const place = placeOf(activityId, player);
  const intended = keptAt(place) ?? (count === null ? null : { key: newKey(), count });
  if (intended === null) {
    return null;
  }
  const body = intended.count === 1 ? {} : { count: intended.count };
  const sent = () => callAs(player, 'POST', `${accountPath(activityId, player)}/draws`, body, { 'Idempotency-Key': intended.key });
  const { content, position } = await once(player, place, intended, () => drawnInTurn(player, sent, onWait), onWait);
  return { draws: content.draws ?? [content], notDrawn: content.notDrawn, position };
}

/** Waits for the turn of a request that was accepted into the queue. Sent again after that, it has its answer. */
async function drawnInTurn(player, sent, onWait) {
  let answer = await sent();
  while (answer.content.state === 'QUEUED') {
    onWait(answer.content);
    await pause(Math.min(Math.max(answer.content.expectedWaitSeconds ?? 1, 1), LOOK_MAX) * 1_000);
    const waits = await stillWaits(player, answer.content.orderId);
    answer = waits ? { content: waits } : await sent();
  }
  return answer;
}

/** Enters the pool of an activity that is drawn at one time. Returns {orderId, entryNo, position}. */
export async function enter(player, activityId, onWait) {
  const place = placeOfEntry(activityId, player);
  const intended = keptAt(place) ?? { key: newKey() };
  const sent = () => callAs(player, 'POST', `${accountPath(activityId, player)}/entries`, {}, { 'Idempotency-Key': intended.key });
  const { content, position } = await once(player, place, intended, sent, onWait);
  return { ...content, position };
}

/** Returns an order that waits; null if it does not, or if nobody knows it: then the same request is sent again. */
async function stillWaits(player, orderId) {
  try {
    const { content } = await callAs(player, 'GET', `/api/v1/raffle-orders/${orderId}`);
    return content.state === 'QUEUED' ? content : null;
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      return null;
    }
    throw failure;
  }
}

/** Buys chances for credits. Returns {position}. */
export async function buy(player, activityId, sku, onWait) {
  const place = placeOfPurchase(activityId, sku, player);
  const intended = keptAt(place) ?? { outBusinessNo: `page-${newKey()}` };
  const body = { sku, outBusinessNo: intended.outBusinessNo };
  const sent = () => callAs(player, 'POST', `${accountPath(activityId, player)}/recharges`, body);
  return once(player, place, intended, sent, onWait);
}

/** Payments about which a player has to do nothing any more. After such a one, the next click orders another one. */
const OVER = ['DELIVERED', 'EXPIRED', 'REFUNDED', 'ON_DESK'];

/**
 * Orders a payment, or asks for the one that is not over. So a player who comes back pays what was ordered before, once.
 * Returns the payment.
 */
export async function orderPayment(player, activityId, sku, provider, onWait) {
  const place = placeOfPayment(activityId, sku, player);
  for (let kept = keptAt(place); ; kept = null) {
    requireStill(player);
    const intended = kept ?? { outBusinessNo: `page-${newKey()}` };
    localStorage.setItem(place, JSON.stringify(intended));
    const content = await payBy(player, activityId, { sku, outBusinessNo: intended.outBusinessNo }, provider, onWait);
    if (kept === null || !OVER.includes(content.state)) {
      return content;
    }
  }
}

/** Lets a provider take the money of a payment: {sku, outBusinessNo}. Returns the payment. */
export async function payBy(player, activityId, { sku, outBusinessNo }, provider, onWait) {
  const sent = () => callAs(player, 'POST', `${accountPath(activityId, player)}/payments`, { sku, provider, outBusinessNo });
  return (await patiently(sent, onWait)).content;
}

const accountPath = (activityId, player) => `/api/v1/activities/${activityId}/accounts/${encodeURIComponent(player)}`;

/** What is intended stays for the player who has left: this failure is no refusal. */
function requireStill(player) {
  if (currentPlayer()?.name !== player) {
    throw new Error(`${player} has left`);
  }
}

/** Asks for one player. The browser sends the session of whoever has logged in, and that may be somebody else by now. */
async function callAs(player, ...request) {
  requireStill(player);
  try {
    return await call(...request);
  } catch (failure) {
    requireStill(player);
    throw failure;
  }
}

/** Keeps what is intended until there is an answer. A refusal is one; after anything else the same is sent again. */
async function once(player, place, intended, sent, onWait) {
  requireStill(player);
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
