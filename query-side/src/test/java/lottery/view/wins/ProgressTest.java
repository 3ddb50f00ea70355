package lottery.view.wins;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.Request;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A won award")
class ProgressTest {

    private static final UserId USER = new UserId("ann");
    private static final AwardRecordId ID = AwardRecordId.of(
            Request.of(new AccountId(new ActivityId(1), USER), "key").id());

    private static final AwardDispatched DISPATCHED = new AwardDispatched(ID, USER);
    private static final AwardGranted GRANTED = new AwardGranted(ID, USER, "f-1");
    private static final AwardGrantRejected REJECTED = new AwardGrantRejected(ID, USER, "f-1", "gone");

    private static final Progress WON = new Progress(AwardState.WON);

    @Test
    @DisplayName("is dispatched, then granted or rejected")
    void goesOn() {
        assertThat(WON.after(DISPATCHED).state()).isEqualTo(AwardState.DISPATCHED);
        assertThat(WON.after(DISPATCHED).after(GRANTED).state()).isEqualTo(AwardState.GRANTED);
        assertThat(WON.after(DISPATCHED).after(REJECTED).state()).isEqualTo(AwardState.REJECTED);
    }

    @Test
    @DisplayName("that was granted stays so when its dispatch is noted late")
    void staysGranted() {
        assertThat(WON.after(GRANTED).after(DISPATCHED).state()).isEqualTo(AwardState.GRANTED);
    }

    @Test
    @DisplayName("that was rejected stays so when its dispatch is noted late")
    void staysRejected() {
        assertThat(WON.after(REJECTED).after(DISPATCHED).state()).isEqualTo(AwardState.REJECTED);
    }
}
