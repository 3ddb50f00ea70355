/** Proposals: everything that waits for a second person, and what was decided about it. */

import { html, nothing } from '../lit-html.js';
import { call, read, readAfter } from '../api.js';
import { time } from '../language.js';
import { groupView } from './activities.js';
import { actionText, decision, historyButton } from './desk.js';
import { attempt, has, note, state } from './state.js';
import { t, word } from './texts.js';

const PAGE = 50;
const STATES = ['PROPOSED', 'AGREED', 'DECLINED', 'EXPIRED'];
const ROLES = { BOOK_CREDITS: 'approver', ADOPT_RULE: 'approver', CHANGE_ACCOUNT: 'admin' };
const PATH = '/api/v1/ops/proposals';

/** The position of the last decision of this visit, so that what is read next shows it. */
let position = null;

const listPath = (wanted, cursor) =>
  `${PATH}?${new URLSearchParams({ limit: PAGE, ...(wanted ? { state: wanted } : {}), ...(cursor ? { cursor } : {}) })}`;

export const page = {
  title: () => t('proposals'),

  async load(shown) {
    const wanted = shown?.wanted ?? state.data?.wanted ?? 'PROPOSED';
    const [{ items, next }, submitted] = await Promise.all([
      readAfter(listPath(wanted), position),
      wanted === 'PROPOSED' && has('operator', 'approver', 'desk', 'auditor') ? read(`/api/v1/activities?state=ARRAIGNED&limit=${PAGE}`) : { items: [] },
    ]);
    return { wanted, items, next, activities: submitted.items };
  },

  view: (data) => html`
    <div class="title"><h1 tabindex="-1">${t('proposals')}</h1>
      <button @click=${() => attempt(() => choose(data.wanted))}>${t('lookAgain')}</button></div>
    <p class="hint">${t('proposalsHint')}</p>
    <div class="card inline">
      <label><span>${t('proposalState')}</span>
        <select name="wanted" @change=${(event) => attempt(() => choose(event.target.value))}>
          ${STATES.map((each) => html`<option value=${each} ?selected=${each === data.wanted}>${t(`P_${each}`)}</option>`)}
          <option value="" ?selected=${data.wanted === ''}>${t('allStates')}</option>
        </select></label>
    </div>
    ${data.activities.length > 0 ? groupView('ARRAIGNED', data.activities) : nothing}
    ${data.items.length + data.activities.length === 0 ? html`<p class="card hint">${t('nobody')}</p>` : nothing}
    <ul class="rows card proposals">
      ${data.items.map((each) => html`
        <li class="waits"><span class="grow"><strong>${actionText(each.action)}</strong>
            <small class="cause">${[each.reason, each.declinedBecause].filter(Boolean).join(' · ')}</small>
            <small>${people(each)}</small></span>
          <small class="when">${each.state === 'PROPOSED' ? t('untilTime', time(each.expiresAt)) : word(`P_${each.state}`)}</small>
          <span class="buttons">
            ${each.action.subject.startsWith('award:') && has('desk', 'auditor') ? historyButton(each.action.subject, actionText(each.action)) : nothing}
            ${each.state === 'PROPOSED' ? buttons(each) : nothing}</span></li>`)}
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

/** Nobody agrees to what they have proposed: they may take it back. What an unknown person has proposed has to be proposed anew. */
function buttons(proposal) {
  const { action, proposedBy } = proposal;
  const { name } = state.person;
  const mayDecide = has(ROLES[action.kind] ?? 'desk');
  const isOwn = name !== '' && proposedBy === name;
  const what = actionText(action);
  return html`
    ${mayDecide && !isOwn && (proposedBy || name === '')
      ? decision('agree', what, () => decide(proposal, 'AGREE'), { isGrave: /^(ERASE|VOID|DROP)_/.test(action.kind) })
      : nothing}
    ${mayDecide || isOwn
      ? decision(isOwn ? 'do_revoke' : 'decline', what, (reason) => decide(proposal, 'DECLINE', reason),
        { text: t('sure_decline', what), needsReason: true, isGrave: true })
      : nothing}`;
}

async function decide({ proposalId }, what, reason) {
  ({ position } = await call('POST', `${PATH}/${encodeURIComponent(proposalId)}/decision`, { decision: what, reason }));
  note(t('decided'));
}
