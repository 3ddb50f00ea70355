/** The side that answers: it reads what happened, remembers it in the shape of the questions, and answers them. */
@NullMarked
package lottery.view;

import org.jspecify.annotations.NullMarked;
