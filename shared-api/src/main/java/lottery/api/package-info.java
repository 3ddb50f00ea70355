/**
 * The messages between the parts of the lottery: commands and events, with the ids in them, the hashes that ids and
 * commitments are made of, the refusals, and the answers of the read models.
 */
@NullMarked
package lottery.api;

import org.jspecify.annotations.NullMarked;
