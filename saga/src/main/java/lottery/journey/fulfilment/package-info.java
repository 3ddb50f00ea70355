/** The fulfilment that ships with the product, and the way of every fulfilment's answers to the award records. */
@NullMarked
package lottery.journey.fulfilment;

import org.jspecify.annotations.NullMarked;
