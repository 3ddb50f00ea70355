/** Invoices ask for an award to be handed over, and their answers are reported to the award records. */
@NullMarked
package lottery.messaging.invoice;

import org.jspecify.annotations.NullMarked;
