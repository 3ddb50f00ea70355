/** Computes a draw again from what is published. docs/fairness.md has the rules; no code is shared with the lottery. */

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const utf8 = (text) => new TextEncoder().encode(text);

/** Browsers compute hashes only for pages that came over HTTPS or from this machine. */
export const canCompute = () => globalThis.crypto?.subtle !== undefined;

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

const sha256 = async (bytes) => hexOf(await crypto.subtle.digest('SHA-256', bytes));

/** @param text a text, or bytes */
async function hmac(key, text) {
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, typeof text === 'string' ? utf8(text) : text);
}

export const commitmentOf = (seed) => sha256(bytesOf(seed));

export const ticketOf = async (seed, orderId) => hexOf(await hmac(seed, orderId));

export const roundCommitmentOf = (activityId, { commitment, round, strategyVersion, strategyHash }) =>
  sha256(utf8([commitment, `activity:${activityId}`, round, strategyVersion, strategyHash].join('|')));

/* Pools */

/** The leaf of an entry in the tree over its pool. */
export const leafOf = (activityId, entryNo, orderId) =>
  sha256(joined([0], utf8(`activity:${activityId}|${entryNo}|${orderId}`)));

/** The root that a leaf and its siblings lead to. */
export async function rootOf(leaf, path) {
  let hash = leaf;
  for (const { side, hash: sibling } of path) {
    const [left, right] = side === 'LEFT' ? [sibling, hash] : [hash, sibling];
    hash = await sha256(joined([1], bytesOf(left), bytesOf(right)));
  }
  return hash;
}

export const drawKeyOf = async (seed, activityId, { root, beacon }) =>
  hexOf(await hmac(seed, ['draw', `activity:${activityId}`, root, beacon.source, beacon.round, beacon.value].join('|')));

export const lotOf = async (drawKey, leaf) => hexOf(await hmac(drawKey, bytesOf(leaf)));

/* Draws */

/** The numbers of a ticket, in blocks of four. */
class Numbers {
  #ticket;
  #label;
  #block = 0;
  #ready = [];

  constructor(ticket, leftOut) {
    this.#ticket = ticket;
    this.#label = [...leftOut].sort((one, other) => one - other).join(',');
  }

  async #next() {
    if (this.#ready.length === 0) {
      const view = new DataView(await hmac(this.#ticket, `${this.#label}|${this.#block++}`));
      this.#ready = [0, 8, 16, 24].map((at) => view.getBigUint64(at) & (2n ** 63n - 1n));
    }
    return this.#ready.shift();
  }

  async below(bound) {
    const end = 2n ** 63n - (2n ** 63n % bound);
    for (;;) {
      const number = await this.#next();
      if (number < end) {
        return number % bound;
      }
    }
  }
}

/** The rates as integers of one scale. */
function weightsOf(rates) {
  const digits = Math.max(0, ...rates.map((rate) => (rate.split('.')[1] ?? '').length));
  const weights = rates.map((rate) => {
    const [whole, fraction = ''] = rate.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  });
  return { weights, whole: 10n ** BigInt(digits) };
}

/** Each column of the table has a threshold. Below it lies the column's own outcome, above it that of another one. */
function tableOf(weights) {
  const size = BigInt(weights.length);
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const area = weights.map((weight) => weight * size);
  const threshold = weights.map(() => whole);
  const alias = weights.map((_, at) => at);
  const narrow = area.flatMap((each, at) => (each < whole ? [at] : []));
  const wide = area.flatMap((each, at) => (each >= whole ? [at] : []));
  while (narrow.length > 0) {
    const at = narrow.shift();
    const donor = wide[0];
    threshold[at] = area[at];
    alias[at] = donor;
    area[donor] -= whole - area[at];
    if (area[donor] < whole) {
      narrow.push(wide.shift());
    }
  }
  return { size, whole, threshold, alias };
}

/**
 * Returns what a ticket picks by the published odds: {award, column, columns, height, whole, threshold}. The award is
 * null for "nothing"; without a column a number before the table has decided. Returns null if this is not known: with
 * everything sold out. Tiers, trees and blacklists are not published, and
 * not known either.
 */
export async function pick(odds, inputs) {
  const { weights, whole } = weightsOf(odds.awards.map((award) => award.rate));
  const sum = weights.reduce((one, other) => one + other, 0n);
  const leftOut = odds.mode === 'OVERALL' ? odds.awards.map((each) => each.awardId).filter(isUnavailable(inputs)) : [];
  const numbers = new Numbers(inputs.ticket, leftOut);
  let outcomes = [...weights, whole - sum];
  if (leftOut.length > 0) {
    if (whole > sum && (await numbers.below(whole)) >= sum) {
      return { award: null };
    }
    outcomes = weights.map((weight, at) => (leftOut.includes(odds.awards[at].awardId) ? 0n : weight));
  }
  if (outcomes.every((weight) => weight === 0n)) {
    return null;
  }
  const table = tableOf(outcomes);
  const column = Number(await numbers.below(table.size));
  const height = await numbers.below(table.whole);
  const threshold = table.threshold[column];
  const at = height < threshold ? column : table.alias[column];
  const award = odds.awards[at] ?? null;
  return { award, column: column + 1, columns: Number(table.size), height, threshold, whole: table.whole };
}

export const isUnavailable = (inputs) => {
  const ids = new Set([...inputs.soldOut, ...(inputs.reached ?? []), ...(inputs.held ?? []), ...(inputs.overBudget ?? [])]);
  return (awardId) => ids.has(awardId);
};
