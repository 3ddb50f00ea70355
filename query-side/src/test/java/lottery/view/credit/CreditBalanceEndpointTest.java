package lottery.view.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntries;
import lottery.api.credit.CreditEntry;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.view.credit.CreditReader.FindCreditEntries;
import lottery.view.credit.CreditReader.FindCredits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@OnStage
@DisplayName("The credits of a user over REST")
class CreditBalanceEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final AtomicLong USERS = new AtomicLong();

    private final MockMvcTester mvc;
    private final Script script;
    private final CreditReader credits;

    /** Each test has its own user. */
    private final UserId user = new UserId("saver-" + USERS.incrementAndGet());

    @Autowired
    CreditBalanceEndpointTest(MockMvcTester mvc, Script script, CreditReader credits) {
        this.mvc = mvc;
        this.script = script;
        this.credits = credits;
    }

    private void booked(long entry, String amount, String balance) {
        script.happens(
                new CreditAccountId(user),
                new CreditsBooked(
                        user,
                        entry,
                        new BigDecimal(amount),
                        new BigDecimal(balance),
                        "no-" + entry,
                        entry % 2 == 0 ? null : "Because",
                        NOON.plusSeconds(entry)));
    }

    private CreditBalance balance() {
        return credits.answer(new FindCredits(user));
    }

    private CreditEntries page(@Nullable String cursor, int limit) {
        return credits.answer(new FindCreditEntries(user, cursor, limit));
    }

    private void awaitEntries(long count) {
        await().atMost(SOON).untilAsserted(() -> assertThat(balance().entries()).isEqualTo(count));
    }

    @Test
    @DisplayName("The balance is the one after the newest booking, to the last digit.")
    void balanceOfTheNewest() {
        booked(1, "999999999999.999999", "999999999999.999999");
        booked(2, "-0.000001", "999999999999.999998");
        awaitEntries(2);
        assertThat(mvc.get().uri("/api/v1/users/{user}/credits", user).exchange())
                .bodyJson()
                .isStrictlyEqualTo("""
                        {"userId": "%s", "balance": "999999999999.999998", "entries": 2}""".formatted(user));
    }

    @Test
    @DisplayName("The balance of a user without bookings is zero.")
    void nothing() {
        assertThat(mvc.get().uri("/api/v1/users/{user}/credits", user).exchange())
                .hasStatusOk()
                .bodyJson()
                .isStrictlyEqualTo("""
                        {"userId": "%s", "balance": "0", "entries": 0}""".formatted(user));
        assertThat(mvc.get().uri("/api/v1/users/{user}/credits/entries", user).exchange())
                .bodyJson()
                .isStrictlyEqualTo("""
                        {"items": [], "next": null}""");
    }

    @Test
    @DisplayName("The statement has each booking with all fields of the contract, the newest first.")
    void statement() {
        booked(1, "8.8", "8.8");
        booked(2, "-8.8", "0");
        awaitEntries(2);
        assertThat(mvc.get().uri("/api/v1/users/{user}/credits/entries", user).exchange())
                .bodyJson()
                .isStrictlyEqualTo("""
                        {"items": [
                          {"entry": 2, "amount": "-8.8", "balance": "0", "businessNo": "no-2", "reason": null,
                           "at": "2026-11-21T04:00:02.123456Z"},
                          {"entry": 1, "amount": "8.8", "balance": "8.8", "businessNo": "no-1", "reason": "Because",
                           "at": "2026-11-21T04:00:01.123456Z"}],
                         "next": null}""");
    }

    @Test
    @DisplayName("The statement comes page by page, each booking once, however many are added meanwhile.")
    void pages() {
        for (int i = 1; i <= 7; i++) {
            booked(i, "1", Integer.toString(i));
        }
        awaitEntries(7);
        CreditEntries first = page(null, 3);
        assertThat(first.items()).extracting(CreditEntry::entry).containsExactly(7L, 6L, 5L);
        booked(8, "1", "8");
        awaitEntries(8);

        List<Long> read = new ArrayList<>();
        @Nullable String cursor = first.next();
        while (cursor != null && read.size() < 20) {
            CreditEntries page = page(cursor, 2);
            page.items().forEach(entry -> read.add(entry.entry()));
            cursor = page.next();
        }
        assertThat(read).containsExactly(4L, 3L, 2L, 1L);
        assertThat(page(null, 8).next()).isNull();
    }

    @Test
    @DisplayName("The credits are the same when every event is delivered again.")
    void replay() {
        booked(1, "5", "5");
        booked(2, "-1.5", "3.5");
        awaitEntries(2);
        CreditEntries once = page(null, 100);

        script.replay("credits");

        assertThat(page(null, 100)).isEqualTo(once);
        assertThat(balance()).isEqualTo(new CreditBalance(user, new BigDecimal("3.5"), 2));
    }

    @Test
    @DisplayName("The answer has an ETag, and is not sent again to a caller that has it.")
    void tag() {
        booked(1, "5", "5");
        awaitEntries(1);
        String tag = Objects.requireNonNull(mvc.get()
                .uri("/api/v1/users/{user}/credits", user)
                .exchange()
                .getResponse()
                .getHeader("ETag"));
        assertThat(mvc.get()
                        .uri("/api/v1/users/{user}/credits", user)
                        .header("If-None-Match", tag)
                        .exchange())
                .hasStatus(HttpStatus.NOT_MODIFIED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=101",
                "limit=-1",
                "cursor=%25%25",
                "cursor=YQ",
                "cursor=",
                "cursor=MA",
                "cursor=LTE",
                "cursor=OTk5OTk5OTk5OTk5OTk5OTk5OTk"
            })
    @DisplayName("A malformed request is refused.")
    void malformed(String parameter) {
        assertThat(mvc.get()
                        .uri("/api/v1/users/" + user + "/credits/entries?" + parameter)
                        .exchange())
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'INVALID', 'subject': '" + parameter.replaceAll("=.*", "") + "'}");
    }
}
