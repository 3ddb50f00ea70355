/** A refusal is answered with a problem document, and with a page that explains it. */
@NullMarked
package lottery.problem;

import org.jspecify.annotations.NullMarked;
