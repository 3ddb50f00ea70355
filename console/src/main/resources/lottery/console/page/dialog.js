/** The dialog of the page, which shows one thing at a time. */

import { html } from './lit-html.js';
import { closeDialog, root, state } from './state.js';
import { t } from './texts.js';

/** Opens or closes the dialog, as the state says. */
export function showDialog() {
  const dialog = root.querySelector('dialog');
  if (state.dialog && !dialog.open) {
    dialog.showModal();
  } else if (!state.dialog && dialog.open) {
    dialog.close();
  }
}

export const closeBeside = (event) => event.target === event.currentTarget && closeDialog();
export const closeButton = () => html`<p class="buttons"><button @click=${closeDialog}>${t('close')}</button></p>`;
