package lottery.api.raffle;

import java.util.stream.Stream;
import lottery.api.Refusal;

/**
 * The reasons why fewer draws were made than asked for. These reasons are stored with the answer to the request. Other
 * refusals are never stored in this way, because they may hold only for a moment.
 */
public enum FewerDrawsReason {
    QUOTA_TOTAL(Refusal.QUOTA_TOTAL),
    QUOTA_MONTH(Refusal.QUOTA_MONTH),
    QUOTA_DAY(Refusal.QUOTA_DAY),
    ACTIVITY_FULL(Refusal.ACTIVITY_FULL),
    BUDGET_REACHED(Refusal.BUDGET_REACHED);

    private final Refusal refusal;

    FewerDrawsReason(Refusal refusal) {
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }

    public static FewerDrawsReason of(Refusal refusal) {
        return Stream.of(values())
                .filter(shortage -> shortage.refusal == refusal)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(refusal + " is no shortage of draws"));
    }
}
