/** Decision trees that lead users to activities: those that activities name, and the editor of one. */

import { html, nothing } from '../lit-html.js';
import { Refusal, call, read } from '../api.js';
import { showFindings, summary } from './forms.js';
import { attempt, busy, go, has, note } from './state.js';
import { t } from './texts.js';
import { firstTree, treeForm, treeModel, treeView } from './tree.js';

const PAGE = 100;

/** What nodes look at is what a front knows of a user. A tree ends with the number of an activity. */
const WORDS = { matters: null, results: null, kindOf: () => undefined, valuesOf: () => undefined };

const pathOf = (id) => `/api/v1/decision-trees/${id}`;

/* The list */

export const list = {
  title: () => t('trees'),

  load: async () => (await read(`/api/v1/activities?limit=${PAGE}`)).items,

  view: (activities) => html`
    <div class="title"><h1 tabindex="-1">${t('trees')}</h1></div>
    <p class="hint">${t('treesHint')}</p>
    <form class="card inline" @submit=${(event) => {
      event.preventDefault();
      go(`#/trees/${event.target.elements.number.value}`);
    }}>
      <label><span>${t('treeId')}</span><input name="number" type="number" min="1" step="1" required></label>
      <button>${t('openIt')}</button>
    </form>
    <ul class="rows card">
      ${named(activities).map((id) => html`
        <li><span class="grow"><a href="#/trees/${id}">${t('treeNumber', id)}</a></span>
          <small>${activities.filter((each) => each.audience === id).map((each) => each.name).join(', ')}</small></li>`)}
    </ul>`,
};

const named = (activities) => [...new Set(activities.map((each) => each.audience).filter(Boolean))].sort((one, other) => one - other);

/* The editor */

async function stored(id) {
  try {
    return await read(pathOf(id));
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 404) {
      return null;
    }
    throw failure;
  }
}

export const editor = {
  keepsInput: true,

  title: ({ id }) => t('treeNumber', id),

  async load(id) {
    const known = await stored(id);
    return { id, version: known?.version ?? 0, tree: known ? treeModel(known.definition) : firstTree(), problems: null };
  },

  view: (data) => html`
    <p class="back"><a href="#/trees">← ${t('trees')}</a></p>
    <div class="title"><h1 tabindex="-1">${t('treeNumber', data.id)}</h1>
      <span class="tag">${data.version > 0 ? t('version', data.version) : t('newTree')}</span></div>
    <p class="hint">${t('treesHint')}</p>
    ${summary(data)}
    <form class="sheet-form" @submit=${(event) => save(event, data)}>
      <fieldset class="plain" ?disabled=${!has('operator')}>
        <section class="card" aria-labelledby="tree"><h2 id="tree">${t('tree')}</h2>${treeView(data, data.tree, '', WORDS)}</section>
        ${has('operator')
          ? html`<div class="buttons"><button class="primary" aria-disabled=${busy()}>${t('saveVersion', data.version + 1)}</button></div>`
          : nothing}
      </fieldset>
    </form>`,
};

async function save(event, data) {
  event.preventDefault();
  await attempt(async () => {
    data.problems = null;
    try {
      const { content } = await call('PUT', pathOf(data.id), treeForm(data.tree), { 'If-Match': String(data.version) });
      data.version = content.version;
      note(t('treeSaved', content.version));
      scrollTo({ top: 0 });
    } catch (failure) {
      showFindings(data, failure);
    }
  });
}
