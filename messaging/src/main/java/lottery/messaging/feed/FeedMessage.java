package lottery.messaging.feed;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Objects;
import lottery.api.raffle.Prize;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/**
 * A message of the public feed. It is not an event but is translated from one. Events may change with the lottery, but
 * the schema of the feed may only be extended.
 */
sealed interface FeedMessage
        permits ActivityFeedMessage,
                ChanceFeedMessage,
                RaffleOrderFeedMessage,
                AwardRecordFeedMessage,
                CreditFeedMessage,
                EntitlementFeedMessage,
                PoolFeedMessage {

    /**
     * Returns the key of the message, which is its user or its activity. Messages with the same key arrive in the order
     * of their events.
     */
    String key();

    /** Returns the aggregate that the message is about. */
    String subject();

    /** Returns the message type of a class. */
    static String typeOf(Class<? extends FeedMessage> news) {
        CloudEventType name =
                Objects.requireNonNull(news.getAnnotation(CloudEventType.class), "news without a public name");
        return name.value();
    }

    /**
     * A won award, as its winner sees it.
     *
     * @param amount the won amount, if the amount of the award varies
     */
    record Award(
            int awardId,
            String title,
            AwardType type,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount) {

        static Award of(Prize prize) {
            return new Award(prize.awardId(), prize.title(), prize.type(), prize.amount());
        }
    }
}
