/** Decisions of operators: who has taken them, and which of them wait for a second person. */
@NullMarked
package lottery.saga.decision;

import org.jspecify.annotations.NullMarked;
