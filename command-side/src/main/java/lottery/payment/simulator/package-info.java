/** A provider of payments for trials, which takes no real money and can be told to misbehave. */
@NullMarked
package lottery.payment.simulator;

import org.jspecify.annotations.NullMarked;
