package lottery.messaging.feed;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Objects;
import lottery.api.raffle.Prize;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/**
 * A message of the public feed. It is not an event of ours but a translation of one: events may change with the
 * lottery, what was promised to readers elsewhere may only grow.
 */
sealed interface FeedMessage
        permits ActivityFeedMessage, ChanceFeedMessage, OrderFeedMessage, AwardFeedMessage, CreditFeedMessage {

    /** Whom or what it happened to: what has the same key is read in the order in which it happened. */
    String key();

    /** The one thing that it is about. */
    String subject();

    /** The type of its messages. */
    static String typeOf(Class<? extends FeedMessage> news) {
        PublicName name = Objects.requireNonNull(news.getAnnotation(PublicName.class), "news without a public name");
        return name.value();
    }

    /**
     * What was won, as its winner sees it.
     *
     * @param amount how much of it, if that varies
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
