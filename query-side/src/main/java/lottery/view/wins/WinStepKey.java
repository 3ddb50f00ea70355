package lottery.view.wins;

import jakarta.persistence.Embeddable;
import java.io.Serializable;

@Embeddable
record WinStepKey(String awardRecordId, long sequence) implements Serializable {}
