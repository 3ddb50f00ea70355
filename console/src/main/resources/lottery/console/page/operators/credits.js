/** Bookings of credits that are too large for one person. An approver confirms or declines what another one has proposed. */

import { html, nothing } from '../lit-html.js';
import { call, read, readAfter } from '../api.js';
import { number, time } from '../language.js';
import { ask, attempt, busy, has, note, state } from './state.js';
import { t, word } from './texts.js';

const PAGE = 50;
const STATES = ['PROPOSED', 'BOOKED', 'DECLINED', 'EXPIRED'];

/** The position of the last decision of this visit, so that what is read next shows it. */
let position = null;

const listPath = (wanted, cursor) =>
  `/api/v1/ops/credit-proposals?${new URLSearchParams({ limit: PAGE, ...(wanted ? { state: wanted } : {}), ...(cursor ? { cursor } : {}) })}`;

export const page = {
  title: () => t('proposals'),

  async load(shown) {
    const wanted = shown?.wanted ?? state.data?.wanted ?? 'PROPOSED';
    const { items, next } = await readAfter(listPath(wanted), position);
    return { wanted, items, next };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('proposals')}</h1>
      <button @click=${() => attempt(() => choose(data.wanted))}>${t('lookAgain')}</button></div>
    <p class="hint">${t('proposalsHint')}</p>
    <div class="card inline">
      <label><span>${t('proposalState')}</span>
        <select name="wanted" @change=${(event) => attempt(() => choose(event.target.value))}>
          ${STATES.map((each) => html`<option value=${each} ?selected=${each === data.wanted}>${word(`P_${each}`)}</option>`)}
          <option value="" ?selected=${data.wanted === ''}>${t('allStates')}</option>
        </select></label>
    </div>
    ${data.items.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
    <ul class="rows card proposals">
      ${data.items.map((each) => html`
        <li><span class="grow"><strong>${each.userId}</strong> ${t('credits', number(each.amount))}
            <small class="cause">${[each.businessNo, each.reason, each.declinedBecause].filter(Boolean).join(' · ')}</small>
            <small>${people(each)}</small></span>
          <small class="when">${each.state === 'PROPOSED' ? t('untilTime', time(each.expiresAt)) : word(`P_${each.state}`)}</small>
          ${has('approver') && each.state === 'PROPOSED' ? buttons(each) : nothing}</li>`)}
    </ul>
    ${data.next ? html`<button class="quiet" @click=${() => attempt(() => more(data))}>${t('showMore')}</button>` : nothing}`,
};

const people = ({ proposedBy, decidedBy }) =>
  [proposedBy && t('proposedBy', proposedBy), decidedBy && t('decidedBy', decidedBy)].filter(Boolean).join(' · ');

async function choose(wanted) {
  state.data = await page.load({ wanted });
}

async function more(data) {
  const { items, next } = await read(listPath(data.wanted, data.next));
  Object.assign(data, { items: [...data.items, ...items], next });
}

/** Nobody confirms what they have proposed. They may take it back. */
const buttons = (proposal) => html`
  <span class="buttons">
    ${proposal.proposedBy === state.person.name
      ? nothing
      : html`<button aria-label="${t('confirm')}: ${proposal.userId}, ${proposal.businessNo}" aria-disabled=${busy()}
          @click=${() => askToConfirm(proposal)}>${t('confirm')}</button>`}
    <button class="plain-grave" aria-label="${t('decline')}: ${proposal.userId}, ${proposal.businessNo}" aria-disabled=${busy()}
      @click=${() => askToDecline(proposal)}>${t('decline')}</button>
  </span>`;

const askToConfirm = (proposal) =>
  ask({
    title: t('confirm'),
    text: t('sure_confirmCredits', number(proposal.amount), proposal.userId),
    label: t('confirm'),
    act: () => decide(proposal, { decision: 'CONFIRM' }, 'creditsBooked'),
  });

const askToDecline = (proposal) =>
  ask({
    title: t('decline'),
    text: t('sure_declineCredits', number(proposal.amount), proposal.userId),
    label: t('decline'),
    isGrave: true,
    needsReason: true,
    act: (reason) => decide(proposal, { decision: 'DECLINE', reason }, 'creditsDeclined'),
  });

async function decide({ proposalId, userId }, decision, text) {
  const path = `/api/v1/credit-proposals/${encodeURIComponent(proposalId)}/decision`;
  ({ position } = await call('POST', path, decision));
  note(t(text, userId));
}
