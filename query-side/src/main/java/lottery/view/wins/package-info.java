/** What users have won, and how far each award is on its way to them. */
@NullMarked
package lottery.view.wins;

import org.jspecify.annotations.NullMarked;
