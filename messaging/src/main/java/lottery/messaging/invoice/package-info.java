/** Invoices, which ask for an award to be handed over, and what the award records are told in answer. */
@NullMarked
package lottery.messaging.invoice;

import org.jspecify.annotations.NullMarked;
