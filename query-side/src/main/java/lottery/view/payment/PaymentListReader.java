package lottery.view.payment;

import java.time.Instant;
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
import lottery.store.log.MergedPages;
import lottery.store.log.MergedPages.MergedItem;
import lottery.store.log.MergedPages.MergedPage;
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

    private record PaymentPosition(PaymentId paymentId, long position, Instant at) implements MergedItem {

        String cursor() {
            return new PageCursor(position).text();
        }
    }

    private final JdbcClient database;
    private final EventStore events;
    private final MergedPages pages;

    PaymentListReader(JdbcClient database, EventStore events, MergedPages pages) {
        this.database = database;
        this.events = events;
        this.pages = pages;
    }

    PaymentPage answer(FindUserPayments query) {
        List<PaymentPosition> found = list(
                database.sql(page("activity_id = :activity AND user_id = :user"))
                        .param("activity", query.activityId().value())
                        .param("user", query.userId().value()),
                PageCursor.below(query.cursor()),
                query.limit() + 1);
        Page<PaymentPosition> page = Paging.pageOf(found, query.limit(), PaymentPosition::cursor);
        return shown(page.items(), page.next(), PaymentReceipt::of);
    }

    PaymentPage answer(FindPayments query) {
        PaymentState state = query.state();
        MergedPage<PaymentPosition> page = pages.read(
                query.cursor(),
                query.limit(),
                (below, max) -> list(
                        state == null
                                ? database.sql(page("true"))
                                : database.sql(page("state = :state")).param("state", state.name()),
                        below,
                        max));
        return shown(page.items(), page.next(), PaymentReceipt::forDesk);
    }

    private static String page(String condition) {
        return """
                SELECT payment_id, first_position,
                       coalesce((SELECT at FROM event WHERE event.position = first_position), 'epoch') AS first_at
                FROM view_payment
                WHERE %s AND first_position < :below
                ORDER BY first_position DESC LIMIT :max""".formatted(condition);
    }

    private static List<PaymentPosition> list(JdbcClient.StatementSpec found, long below, int max) {
        return found.param("below", below)
                .param("max", max)
                .query((row, _) -> new PaymentPosition(
                        PaymentId.of(row.getString("payment_id")),
                        row.getLong("first_position"),
                        row.getTimestamp("first_at").toInstant()))
                .list();
    }

    private PaymentPage shown(
            List<PaymentPosition> page, @Nullable String next, Function<PaymentProgress, PaymentReceipt> form) {
        List<PaymentReceipt> items = page.stream()
                .flatMap(
                        each -> EventStreams.<PaymentProgress, PaymentEvent>fold(
                                events, each.paymentId().text(), PaymentProgress::after)
                                .stream())
                .map(form)
                .toList();
        return new PaymentPage(items, next);
    }
}
