/** The desk shows operators everything that does not continue by itself, and takes their decisions. */
@NullMarked
package lottery.saga.desk;

import org.jspecify.annotations.NullMarked;
