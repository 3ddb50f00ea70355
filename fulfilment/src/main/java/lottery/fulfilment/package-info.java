/** This package has the fulfilment that ships with the product. */
@NullMarked
package lottery.fulfilment;

import org.jspecify.annotations.NullMarked;
