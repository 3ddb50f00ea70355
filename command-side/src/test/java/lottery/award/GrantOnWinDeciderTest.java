package lottery.award;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.CodePoolId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.store.axon.NamedNumberSeries;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("Grants with the win")
class GrantOnWinDeciderTest {

    private static final AwardRecordId ID =
            AwardRecordId.of(RaffleRequestIdentity.of(new AccountId(new ActivityId(1), new UserId("ann")), "key")
                    .id());
    private static final Set<AwardType> TEXT = Set.of(AwardType.TEXT);
    private static final Set<AwardType> DIRECT = Set.of(AwardType.TEXT, AwardType.CREDIT, AwardType.CODE);
    private static final CodePoolId POOL = new CodePoolId(new ActivityId(1), 2);

    private final NamedNumberSeries series = mock(NamedNumberSeries.class);

    @Test
    @DisplayName("A TEXT award is granted with its win if it waits for nothing.")
    void granted() {
        assertThat(new GrantOnWinDecider(TEXT, true, true, true, true, series)
                        .reference(ID, AwardType.TEXT, GrantTime.AT_ONCE))
                .isEqualTo("text:" + ID.key());
    }

    @ParameterizedTest
    @CsvSource({
        "lottery.fulfilment.direct=TEXT:CREDIT:CODE, true",
        "lottery.fulfilment.direct=CREDIT:CODE, false",
        "lottery.fulfilment.direct=, false",
        "lottery.fulfilment.direct=TEXT lottery.fulfilment.enabled=false, false",
        "lottery.fulfilment.direct=TEXT lottery.fulfilment.text.enabled=false, false"
    })
    @DisplayName("A TEXT award is granted with its win by default, unless a setting prevents that.")
    void settings(String settings, boolean granted) {
        new ApplicationContextRunner()
                .withInitializer(context ->
                        context.getBeanFactory().setConversionService(ApplicationConversionService.getSharedInstance()))
                .withPropertyValues(settings.replace(':', ',').split(" "))
                .withBean(NamedNumberSeries.class, () -> series)
                .withBean(GrantOnWinDecider.class)
                .run(context -> assertThat(context.getBean(GrantOnWinDecider.class)
                                        .reference(ID, AwardType.TEXT, GrantTime.AT_ONCE)
                                != null)
                        .isEqualTo(granted));
    }

    @ParameterizedTest
    @EnumSource(value = Timing.class, mode = EnumSource.Mode.EXCLUDE, names = "INSTANT")
    @DisplayName("An award that waits for a time or for an operator is not granted with its win.")
    void waits(Timing timing) {
        GrantTime later = new GrantTime(timing, Instant.EPOCH);
        assertThat(new GrantOnWinDecider(TEXT, true, true, true, true, series).reference(ID, AwardType.TEXT, later))
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(value = AwardType.class, mode = EnumSource.Mode.EXCLUDE, names = "TEXT")
    @DisplayName("An award that has to be handed over is not granted with its win.")
    void handedOver(AwardType type) {
        assertThat(new GrantOnWinDecider(DIRECT, true, true, true, true, series).reference(ID, type, GrantTime.AT_ONCE))
                .isNull();
    }

    @Test
    @DisplayName("Credits are booked with their win if it waits for nothing, and if their number can be booked.")
    void credits() {
        GrantOnWinDecider direct = new GrantOnWinDecider(DIRECT, true, true, true, true, series);
        Prize fixed = new Prize(1, "Points", AwardType.CREDIT, 1, null);
        Prize drawn = new Prize(1, "Points", AwardType.CREDIT, 1, new BigDecimal("2.50"));
        Map<String, String> eight = Map.of("credits", "8.0");
        assertThat(direct.credits(fixed, eight, GrantTime.AT_ONCE)).contains(new BigDecimal("8"));
        assertThat(direct.credits(drawn, Map.of(), GrantTime.AT_ONCE)).contains(new BigDecimal("2.5"));
        assertThat(direct.credits(fixed, Map.of("credits", "many"), GrantTime.AT_ONCE))
                .isEmpty();
        assertThat(direct.credits(fixed, eight, new GrantTime(Timing.MANUAL, null)))
                .isEmpty();
        assertThat(direct.credits(new Prize(1, "Hello", AwardType.TEXT, 1, null), eight, GrantTime.AT_ONCE))
                .isEmpty();
        assertThat(new GrantOnWinDecider(DIRECT, true, true, false, true, series)
                        .credits(fixed, eight, GrantTime.AT_ONCE))
                .isEmpty();
        assertThat(new GrantOnWinDecider(TEXT, true, true, true, true, series).credits(fixed, eight, GrantTime.AT_ONCE))
                .isEmpty();
    }

    @Test
    @DisplayName(
            "A CODE award that a draw wins is granted with its win if it waits for nothing, and if a code is left.")
    void codes() {
        GrantOnWinDecider direct = new GrantOnWinDecider(DIRECT, true, true, true, true, series);
        GrantOnWinDecider atItsEnd = new GrantOnWinDecider(DIRECT, true, true, true, true, series);
        assertThat(codeOf(direct, GrantTime.AT_ONCE))
                .as("with the codes in another log")
                .isNull();
        verify(series, never()).takeIfLeft(any(), any());
        when(series.isTakenInCommit()).thenReturn(true);
        assertThat(codeOf(atItsEnd, GrantTime.AT_ONCE)).as("without a code").isNull();
        assertThat(codeOf(atItsEnd, GrantTime.AT_ONCE)).as("a moment later").isNull();
        verify(series, times(1)).takeIfLeft("codes:1/2", ID.text());
        when(series.takeIfLeft("codes:1/2", ID.text())).thenReturn(true);
        assertThat(codeOf(direct, GrantTime.AT_ONCE)).isEqualTo("code:" + ID.key());
        assertThat(codeOf(direct, new GrantTime(Timing.MANUAL, null))).isNull();
        assertThat(codeOf(new GrantOnWinDecider(DIRECT, true, true, true, false, series), GrantTime.AT_ONCE))
                .isNull();
        assertThat(codeOf(new GrantOnWinDecider(TEXT, true, true, true, true, series), GrantTime.AT_ONCE))
                .isNull();
        assertThat(direct.reference(ID, AwardType.CODE, GrantTime.AT_ONCE))
                .as("in a pool")
                .isNull();
    }

    private static @Nullable String codeOf(GrantOnWinDecider decider, GrantTime time) {
        return decider.referenceInDraw(POOL, ID, AwardType.CODE, time);
    }

    @ParameterizedTest
    @EnumSource(names = {"COUPON", "PHYSICAL"})
    @DisplayName("A type that is handed over elsewhere cannot be configured.")
    void impossible(AwardType type) {
        assertThatThrownBy(() -> new GrantOnWinDecider(Set.of(type), true, true, true, true, series))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LOTTERY_FULFILMENT_DIRECT=[" + type + "]");
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    @DisplayName(
            "A TEXT award is not granted with its win if it is handed over elsewhere, or if no type is configured.")
    void elsewhere(boolean fulfilment, boolean text) {
        assertThat(new GrantOnWinDecider(TEXT, fulfilment, text, true, true, series)
                        .reference(ID, AwardType.TEXT, GrantTime.AT_ONCE))
                .isNull();
        assertThat(new GrantOnWinDecider(Set.of(), true, true, true, true, series)
                        .reference(ID, AwardType.TEXT, GrantTime.AT_ONCE))
                .isNull();
    }
}
