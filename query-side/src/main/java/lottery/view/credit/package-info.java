/** What users have of credits, and their statements. */
@NullMarked
package lottery.view.credit;

import org.jspecify.annotations.NullMarked;
