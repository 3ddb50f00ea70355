/** The texts of the page for players. */

import { textsOf } from './language.js';
import { en } from './texts-en.js';
import { zh } from './texts-zh.js';

export const t = textsOf({ en, zh });
