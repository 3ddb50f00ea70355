/** The editor of a decision tree: its nodes with their lines, and an outline of what leads where. */

import { html, nothing } from '../lit-html.js';
import { addRow, field, idOf, problemsAt, removeRow } from './forms.js';
import { t } from './texts.js';

const SIGNS = { '=': 'S_equal', '<': 'S_less', '<=': 'S_most', '>': 'S_more', '>=': 'S_least', 'one of': 'S_oneOf' };
const TEXT_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 100;

/** Lines know their nodes by a key, so that a node can be renamed. */
let lastKey = 0;

/** A node of the form: it asks for a matter, or ends with a result. What it does not use is kept, and not sent. */
const newNode = (known = {}) => {
  lastKey += 1;
  return { key: lastKey, name: '', form: 'ASK', matter: '', kind: 'TEXT', result: '', lines: [], ...known };
};

const newLine = () => ({ is: '=', values: '', to: '' });

/** The tree of a form, for a definition of the API. */
export function treeModel(definition) {
  const nodes = definition.nodes.map(({ node, matter, kind, result }) =>
    newNode(result ? { name: node, form: 'END', result } : { name: node, matter, kind }));
  const named = (name) => nodes.find((each) => each.name === name);
  for (const { from, to, is, values } of definition.lines) {
    named(from).lines.push({ is, values: values.join('\n'), to: named(to).key });
  }
  return { root: named(definition.root).key, nodes };
}

const nodeOf = (tree, key) => tree.nodes.find((each) => String(each.key) === String(key));

/** All lines in the order in which they are sent. */
const linesOf = (tree) => tree.nodes.filter((each) => each.form === 'ASK').flatMap((each) => each.lines);

const valuesOf = ({ is, values }) =>
  is === 'one of' ? values.split('\n').map((each) => each.trim()).filter(Boolean) : [values.trim()];

/** The definition for the API. */
export const treeForm = (tree) => ({
  root: nodeOf(tree, tree.root)?.name ?? '',
  nodes: tree.nodes.map(({ name, form, matter, kind, result }) =>
    form === 'END' ? { node: name.trim(), result: String(result).trim() } : { node: name.trim(), matter: matter.trim(), kind }),
  lines: tree.nodes.filter((each) => each.form === 'ASK').flatMap((node) =>
    node.lines.map((line) => ({
      from: node.name.trim(), to: (nodeOf(tree, line.to)?.name ?? '').trim(), is: line.is, values: valuesOf(line),
    }))),
});

/**
 * The fields of a tree.
 *
 * @param base the place of the tree in the request
 * @param words what nodes can look at and come to: {matters, results} as options or null for any text,
 *   kindOf(matter), and valuesOf(matter) as options or undefined
 */
export const treeView = (form, tree, base, words) => html`
  <div class="fields one">
    ${field(form, tree, 'root', t('root'), { base, isRequired: true, options: nodeOptions(tree) })}
  </div>
  <div class="row-list" id=${idOf(`${base}/nodes`)}>
    ${tree.nodes.map((node, i) => nodeView(form, tree, node, i, base, words))}
    <button type="button" class="add" @click=${(event) => addRow(event, tree.nodes, newNode())}>${t('addNode')}</button>
  </div>
  <h3 class="outline">${t('outline')}</h3>
  <div class="outline">${outline(tree, words)}</div>`;

const nodeOptions = (tree) => [['', t('choose')], ...tree.nodes.map((each) => [each.key, each.name])];

function nodeView(form, tree, node, i, base, words) {
  const at = `${base}/nodes/${i}`;
  const own = { base: at, isRequired: true };
  const first = linesOf(tree).indexOf(node.lines[0]);
  return html`
    <fieldset class="fields node row" id=${idOf(at)}>
      <legend>${node.name || t('newNode')}</legend>
      ${problemsAt(form, at)}
      ${field(form, node, 'name', t('nodeName'), { ...own, at: 'node', maxlength: TEXT_LENGTH_MAX })}
      ${field(form, node, 'form', t('nodeForm'), { ...own, options: ['ASK', 'END'].map((each) => [each, t(`N_${each}`)]) })}
      ${node.form === 'END' ? resultField(form, node, own, words) : matterFields(form, node, own, words)}
      ${node.form === 'ASK' ? html`
        <div class="row-list wide">
          ${node.lines.map((line, j) => lineView(form, tree, node, line, j, `${base}/lines/${first + j}`, words))}
          <button type="button" class="add" @click=${(event) => addRow(event, node.lines, newLine())}>${t('addLine', node.name)}</button>
        </div>` : nothing}
      <button type="button" class="quiet remove" @click=${(event) => removeRow(event, tree.nodes, i)}>${t('removeOf', node.name || t('newNode'))}</button>
    </fieldset>`;
}

const resultField = (form, node, own, words) =>
  words.results
    ? field(form, node, 'result', t('nodeResult'), { ...own, options: [['', t('choose')], ...words.results] })
    : field(form, node, 'result', t('activityId'), { ...own, maxlength: TEXT_LENGTH_MAX, inputmode: 'numeric' });

/** The kind is asked for where it is open. */
function matterFields(form, node, own, words) {
  const usual = words.kindOf(node.matter);
  const follow = () => {
    node.kind = words.kindOf(node.matter) ?? node.kind;
  };
  return html`
    ${field(form, node, 'matter', t('matter'), words.matters
      ? { ...own, options: [['', t('choose')], ...words.matters], then: follow }
      : { ...own, maxlength: TEXT_LENGTH_MAX })}
    ${usual === node.kind
      ? nothing
      : field(form, node, 'kind', t('kind'), { ...own, options: ['TEXT', 'NUMBER'].map((each) => [each, t(`K_${each}`)]) })}`;
}

function lineView(form, tree, node, line, j, at, words) {
  const own = { base: at, isRequired: true };
  return html`
    <div class="fields line row" id=${idOf(at)} role="group" aria-label=${t('lineOf', j + 1, node.name)}>
      ${problemsAt(form, at)}
      ${field(form, line, 'is', t('ifIt'), { ...own, options: Object.entries(SIGNS).map(([sign, key]) => [sign, t(key)]) })}
      ${field(form, line, 'values', t('values'), { ...own, ...valueField(node, line, words) })}
      ${field(form, line, 'to', t('goTo'), { ...own, options: nodeOptions(tree) })}
      <button type="button" class="quiet remove" @click=${(event) => removeRow(event, node.lines, j)}>${t('removeLine')}</button>
    </div>`;
}

function valueField(node, line, words) {
  if (line.is === 'one of') {
    return { type: 'textarea', rows: 2, hint: t('oneInEachLine') };
  }
  const options = line.is === '=' ? words.valuesOf(node.matter) : undefined;
  return options
    ? { options: [['', t('choose')], ...options] }
    : { maxlength: VALUE_LENGTH_MAX, inputmode: node.kind === 'NUMBER' ? 'decimal' : undefined };
}

/* The outline */

const textIn = (options, value) => options?.find(([each]) => String(each) === String(value))?.[1] ?? value;

/** Each node is written out once. A circle, or a node that several lines lead to, is named the second time. */
function outline(tree, words) {
  const written = new Set();
  const below = (key) => {
    const node = nodeOf(tree, key);
    if (!node) {
      return html`<span class="refuses">?</span>`;
    }
    if (node.form === 'END') {
      return html`<strong>${textIn(words.results, node.result)}</strong>`;
    }
    const name = html`<em>${node.name}</em> (${textIn(words.matters, node.matter)})`;
    if (written.has(node.key)) {
      return html`${name} ${t('seeAbove')}`;
    }
    written.add(node.key);
    return html`${name}<ul>${node.lines.map((line) => html`
      <li>${t(SIGNS[line.is])} ${valuesOf(line).map((each) => textIn(words.valuesOf(node.matter), each)).join(', ')} → ${below(line.to)}</li>`)}</ul>`;
  };
  return below(tree.root);
}

/** The least tree: one question with one answer. */
export function firstTree() {
  const end = newNode({ name: 'end', form: 'END' });
  const ask = newNode({ name: 'ask', lines: [{ ...newLine(), to: end.key }] });
  return { root: ask.key, nodes: [ask, end] };
}
