/** How a refusal looks from outside: a problem document, and a page that explains it. */
@NullMarked
package lottery.problem;

import org.jspecify.annotations.NullMarked;
