/** Simulations of strategies: draws that are played, and what comes out of them. */

import { html, nothing } from '../lit-html.js';
import { follow, read, Unreachable } from '../api.js';
import { number, percent } from '../language.js';
import { progressBar, reachOf, shareBar } from './charts.js';
import { field, numberOr, whole } from './forms.js';
import { attempt, show, state } from './state.js';
import { t } from './texts.js';

const pathOf = (id) => `/api/v1/strategies/${id}`;

export const page = {
  keepsInput: true,

  title: ({ id }) => t('simulationOf', id),

  async load(id) {
    const { version } = await read(pathOf(id));
    return { id, version, model: { draws: 100_000, users: 1_000, days: 7, seed: 1 }, done: 0, of: 0, result: null };
  },

  view(data) {
    const { id, version, model } = data;
    return html`
      <p class="back"><a href="#/strategies/${id}">← ${t('strategy', id)}</a></p>
      <div class="title"><h1 tabindex="-1">${t('simulationOf', id)}</h1><span class="tag">${t('version', version)}</span></div>
      <form class="card fields" @submit=${(event) => simulate(event, data)}>
        ${whole(data, model, 'draws', t('draws'), { isRequired: true, max: 10_000_000 })}
        ${whole(data, model, 'users', t('users'), { isRequired: true })}
        ${whole(data, model, 'days', t('days'), { isRequired: true })}
        ${field(data, model, 'seed', t('seed'), { type: 'number', step: 1 })}
        <div class="buttons wide"><button class="primary" ?disabled=${data.isRunning}>${t('simulate')}</button></div>
      </form>
      <div role="status">
        ${data.isRunning
          ? html`<p class="card">${t('simulating', data.of > 0 ? percent(data.done / data.of) : '')} ${progressBar(data.done, Math.max(1, data.of), t('progress'))}</p>`
          : nothing}
      </div>
      ${data.result ? resultView(data.result) : nothing}`;
  },
};

async function simulate(event, data) {
  event.preventDefault();
  const { model } = data;
  Object.assign(data, { isRunning: true, done: 0, of: 0, result: null });
  await attempt(() => play(data, {
    draws: numberOr(model.draws), users: numberOr(model.users), days: numberOr(model.days), seed: numberOr(model.seed),
  }));
  data.isRunning = false;
  show();
}

async function play(data, form) {
  let isStopped = false;
  await follow(`${pathOf(data.id)}/simulations`, form, (name, content) => {
    if (name === 'progress') {
      Object.assign(data, content);
    } else if (name === 'result') {
      data.result = content;
    } else if (name === 'stopped') {
      isStopped = true;
      state.message = t('stopped', content.code);
    }
    show();
  });
  if (!data.result && !isStopped) {
    // The answer was cut off.
    throw new Unreachable();
  }
}

const chartOf = ({ expectedShare, share }) => ({
  promised: Number(expectedShare),
  drawn: Number(share.mean),
  low: Number(share.least),
  high: Number(share.most),
  agrees: Number(share.least) <= Number(expectedShare) && Number(expectedShare) <= Number(share.most),
});

function resultView(result) {
  const reach = reachOf(result.awards.map(chartOf));
  return html`
    <section class="card" aria-labelledby="result">
      <h2 id="result">${t('result')}</h2>
      <p class="hint">${t('resultHint', number(result.draws), result.runs, number(result.drawsPerSecond))}</p>
      <div class="scroll"><table>
        <thead><tr><th scope="col">${t('awardName')}</th><th scope="col">${t('promised')}</th><th scope="col">${t('simulated')}</th>
          <th scope="col" class="chart">${t('compared')}</th><th scope="col">${t('count')}</th><th scope="col">${t('soldOut')}</th><th scope="col">${t('costs')}</th></tr></thead>
        <tbody>
          ${result.awards.map((each) => html`
            <tr><th scope="row">${each.title}</th><td>${percent(each.expectedShare)}</td><td>${percent(each.share.mean)}</td>
              <td class="chart">${shareBar(chartOf(each), reach)}</td>
              <td>${number(Number(each.count.mean))}</td>
              <td>${each.soldOut ? t('soldOutRuns', each.soldOut.runs, result.runs) : '–'}</td>
              <td>${each.cost ? number(Number(each.cost.mean)) : '–'}</td></tr>`)}
          ${['fallback', 'nothing'].map((name) => html`
            <tr class="rest"><th scope="row">${t(`rest_${name}`)}</th><td></td><td>${percent(result[name].share.mean)}</td><td></td>
              <td>${number(Number(result[name].count.mean))}</td><td></td><td></td></tr>`)}
        </tbody>
        <tfoot><tr><th scope="row">${t('total')}</th><td></td><td></td><td></td><td>${number(result.draws)}</td><td></td><td>${number(Number(result.cost.mean))}</td></tr></tfoot>
      </table></div>
    </section>`;
}
