/** The one application that is run: it reads its roles, requires its servers, and greets when it is up. */
@NullMarked
package lottery.app;

import org.jspecify.annotations.NullMarked;
