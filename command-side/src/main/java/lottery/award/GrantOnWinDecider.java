package lottery.award;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.api.award.AwardCommand.GrantCode;
import lottery.api.award.AwardRecordId;
import lottery.api.award.CodePoolId;
import lottery.api.credit.CreditAmount;
import lottery.api.raffle.Prize;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.store.axon.NamedNumberSeries;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Decides which awards are granted in the commit of their win. These are TEXT, CREDIT and CODE awards that wait neither
 * for a time nor for an operator. Nobody has to hand over a text. Credits are booked, and codes are taken, in the same
 * commit.
 */
@Component
public final class GrantOnWinDecider {

    private static final int EMPTY_MAX = 10_000;
    private static final Duration EMPTY_FOR = Duration.ofSeconds(1);

    private final boolean isTextDirect;
    private final boolean isCreditDirect;
    private final boolean isCodeDirect;
    private final NamedNumberSeries series;

    /**
     * The pools in which a draw has just found no code, or which do not exist. Draws do not ask for them again at once,
     * because somebody hands their awards over later.
     */
    private final Cache<CodePoolId, Boolean> empty = Caffeine.newBuilder()
            .maximumSize(EMPTY_MAX)
            .expireAfterWrite(EMPTY_FOR)
            .build();

    /**
     * Reads from the settings which types of awards this process hands over by itself. An award of another type cannot
     * be granted with its win.
     *
     * @throws IllegalArgumentException if the settings name a type that this process cannot hand over by itself
     */
    public GrantOnWinDecider(
            @Value("${lottery.fulfilment.direct:}") Set<AwardType> types,
            @Value("${lottery.fulfilment.enabled:true}") boolean isFulfilmentOurs,
            @Value("${lottery.fulfilment.text.enabled:true}") boolean isTextOurs,
            @Value("${lottery.fulfilment.credit.enabled:true}") boolean isCreditOurs,
            @Value("${lottery.fulfilment.code.enabled:true}") boolean isCodeOurs,
            NamedNumberSeries series) {
        if (!types.stream().allMatch(GrantOnWinDecider::isPossible)) {
            throw new IllegalArgumentException("LOTTERY_FULFILMENT_DIRECT=%s: only awards of %s can be handed over here"
                    .formatted(
                            types,
                            Arrays.stream(AwardType.values())
                                    .filter(GrantOnWinDecider::isPossible)
                                    .toList()));
        }
        isTextDirect = types.contains(AwardType.TEXT) && isFulfilmentOurs && isTextOurs;
        isCreditDirect = types.contains(AwardType.CREDIT) && isFulfilmentOurs && isCreditOurs;
        isCodeDirect = types.contains(AwardType.CODE) && isFulfilmentOurs && isCodeOurs;
        this.series = series;
    }

    private static boolean isPossible(AwardType type) {
        return type.handover() == AwardType.Handover.LOTTERY;
    }

    /**
     * Returns how many credits are booked with a win; empty if none are. An award without a number that can be booked
     * is handed over as usual, and is refused there.
     */
    public Optional<BigDecimal> credits(Prize prize, Map<String, String> config, GrantTime grant) {
        return isCreditDirect && prize.type() == AwardType.CREDIT && grant.timing() == Timing.INSTANT
                ? CreditAmount.ofAward(prize.amount(), config)
                : Optional.empty();
    }

    /**
     * Returns the reference of the grant for a text or a code that a draw wins now; null if the award still has to be
     * handed over. The code is taken with the current unit of work, unless none is left, the award has no pool, or the
     * codes are in another log.
     */
    public @Nullable String referenceInDraw(
            CodePoolId pool, AwardRecordId awardRecordId, AwardType type, GrantTime grant) {
        return isCodeDirect && type == AwardType.CODE && grant.timing() == Timing.INSTANT && series.isTakenInCommit()
                ? code(pool, awardRecordId)
                : reference(awardRecordId, type, grant);
    }

    private @Nullable String code(CodePoolId pool, AwardRecordId awardRecordId) {
        if (empty.getIfPresent(pool) != null) {
            return null;
        }
        if (series.takeIfLeft(pool.text(), awardRecordId.text())) {
            return GrantCode.reference(awardRecordId);
        }
        empty.put(pool, true);
        return null;
    }

    /** Returns the reference of the grant for a text that is won now; null if the award still has to be handed over. */
    public @Nullable String reference(AwardRecordId awardRecordId, AwardType type, GrantTime grant) {
        return isTextDirect && type == AwardType.TEXT && grant.timing() == Timing.INSTANT
                ? "text:" + awardRecordId.key()
                : null;
    }
}
