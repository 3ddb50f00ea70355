/** Shows what people have decided: who, in which role, about what, and in which request. */
@NullMarked
package lottery.view.audit;

import org.jspecify.annotations.NullMarked;
