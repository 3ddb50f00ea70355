/** Tests of the read models share one context with real servers and a proxy to Redis that can be cut. */
@NullMarked
package lottery.stage;

import org.jspecify.annotations.NullMarked;
