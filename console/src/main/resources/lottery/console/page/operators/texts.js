/** The texts of the page for operators. */

import { textsOf } from '../language.js';
import { en } from './texts-en.js';
import { zh } from './texts-zh.js';

const catalogues = { en, zh };

export const t = textsOf(catalogues);

/** The text of a word of the API; the word itself if there is none. */
export const word = (key) => (key in en ? t(key) : key);
