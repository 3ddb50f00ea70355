/**
 * The runnable application. It reads its roles, checks that its servers are configured, and prints a greeting when it
 * has started.
 */
@NullMarked
package lottery.app;

import org.jspecify.annotations.NullMarked;
