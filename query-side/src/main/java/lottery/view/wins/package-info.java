/** This read model shows the awards that users have won, and how far each award is. */
@NullMarked
package lottery.view.wins;

import org.jspecify.annotations.NullMarked;
