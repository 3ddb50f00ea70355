/**
 * The messages between the parts of the lottery: commands, events and queries, with the ids in them, the hashes that
 * ids and commitments are made of, and the refusals.
 */
@NullMarked
package lottery.api;

import org.jspecify.annotations.NullMarked;
