package lottery.view.wins;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The cursor of wins")
class WinCursorTest {

    private static final AwardRecordId ID =
            AwardRecordId.of(RaffleRequestIdentity.of(new AccountId(new ActivityId(1), new UserId("ann")), "key")
                    .id());

    @Test
    @DisplayName("A cursor is read as it was written.")
    void roundTrip() {
        WinCursor cursor = new WinCursor(Instant.parse("2026-03-31T04:00:00.123456Z"), ID);

        assertThat(WinCursor.of(cursor.text())).contains(cursor);
        assertThat(cursor.text()).matches("[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "1.", "x.ID", "-1.ID", "9223372036854775808.ID", "1.order", "1"})
    @DisplayName("A text that is no cursor is refused.")
    void malformed(String plain) {
        String text = Base64.getUrlEncoder()
                .encodeToString(plain.replace("ID", ID.text()).getBytes(UTF_8));

        assertThat(WinCursor.of(text)).isEmpty();
    }

    @Test
    @DisplayName("A text that is not even base64url is refused.")
    void notBase64() {
        assertThat(WinCursor.of("%%%")).isEmpty();
    }

    @Test
    @DisplayName("A cursor with the latest possible time is valid.")
    void latest() {
        String text = Base64.getUrlEncoder().encodeToString((Long.MAX_VALUE + "." + ID.text()).getBytes(UTF_8));

        assertThat(WinCursor.of(text)).isPresent();
    }
}
