package lottery.view.credit;

import jakarta.persistence.Embeddable;
import java.io.Serializable;

/** @param entry the number of the booking, counted per user from 1 */
@Embeddable
record CreditEntryKey(String userId, long entry) implements Serializable {}
