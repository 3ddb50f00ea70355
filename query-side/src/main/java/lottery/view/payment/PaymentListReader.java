package lottery.view.payment;

import java.util.List;
import java.util.function.Function;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentPage;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentReceipt;
import lottery.api.payment.PaymentState;
import lottery.store.axon.EventStreams;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads payments. The read model says which belong to a page, and the log says what they are now. */
@Component
class PaymentListReader {

    /**
     * Asks for the payments of a user in an activity, the newest first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindUserPayments(
            ActivityId activityId, UserId userId, @Nullable String cursor, int limit) implements Query<PaymentPage> {}

    /**
     * Asks for the payments of all users, the newest first.
     *
     * @param state the state of the payments that are asked for; null for all
     * @param cursor where the previous page ended; null for the first page
     */
    record FindPayments(
            @Nullable PaymentState state, @Nullable String cursor, int limit) implements Query<PaymentPage> {}

    private record PaymentPosition(PaymentId paymentId, long firstPosition) {

        String cursor() {
            return new PageCursor(firstPosition).text();
        }
    }

    private final JdbcClient database;
    private final EventStore events;

    PaymentListReader(JdbcClient database, EventStore events) {
        this.database = database;
        this.events = events;
    }

    PaymentPage answer(FindUserPayments query) {
        return page(
                database.sql(page("activity_id = :activity AND user_id = :user"))
                        .param("activity", query.activityId().value())
                        .param("user", query.userId().value()),
                query.cursor(),
                query.limit(),
                PaymentReceipt::of);
    }

    PaymentPage answer(FindPayments query) {
        PaymentState state = query.state();
        JdbcClient.StatementSpec found = state == null
                ? database.sql(page("true"))
                : database.sql(page("state = :state")).param("state", state.name());
        return page(found, query.cursor(), query.limit(), PaymentReceipt::forDesk);
    }

    private static String page(String condition) {
        return """
                SELECT payment_id, first_position FROM view_payment
                WHERE %s AND first_position < :below
                ORDER BY first_position DESC LIMIT :max""".formatted(condition);
    }

    private PaymentPage page(
            JdbcClient.StatementSpec found,
            @Nullable String cursor,
            int limit,
            Function<PaymentProgress, PaymentReceipt> shown) {
        Page<PaymentPosition> page = Paging.pageOf(
                found.param("below", PageCursor.below(cursor))
                        .param("max", limit + 1)
                        .query((row, _) -> new PaymentPosition(
                                PaymentId.of(row.getString("payment_id")), row.getLong("first_position")))
                        .list(),
                limit,
                PaymentPosition::cursor);
        List<PaymentReceipt> items = page.items().stream()
                .flatMap(
                        each -> EventStreams.<PaymentProgress, PaymentEvent>fold(
                                events, each.paymentId().text(), PaymentProgress::after)
                                .stream())
                .map(shown)
                .toList();
        return new PaymentPage(items, page.next());
    }
}
