/** Awards and their odds. */
@NullMarked
package lottery.api.strategy;

import org.jspecify.annotations.NullMarked;
