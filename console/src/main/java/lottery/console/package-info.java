/** Serves the pages that people look at. They use the REST API as any other caller does. */
@NullMarked
package lottery.console;

import org.jspecify.annotations.NullMarked;
