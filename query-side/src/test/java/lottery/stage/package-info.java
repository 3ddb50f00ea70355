/** The stage on which the read models are tried: one context, real servers, a cable to Redis that can be cut. */
@NullMarked
package lottery.stage;

import org.jspecify.annotations.NullMarked;
