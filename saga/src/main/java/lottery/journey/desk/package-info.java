/** The desk shows operators everything that does not go on by itself, and takes their decisions. */
@NullMarked
package lottery.journey.desk;

import org.jspecify.annotations.NullMarked;
