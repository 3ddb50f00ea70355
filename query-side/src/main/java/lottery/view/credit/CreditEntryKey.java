package lottery.view.credit;

import jakarta.persistence.Embeddable;
import java.io.Serializable;

/** @param entry counts the user's bookings from 1 */
@Embeddable
record CreditEntryKey(String userId, long entry) implements Serializable {}
