package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import lottery.store.Parcel.ParcelSent;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import lottery.store.axon.NumberSeriesClosedException;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@DisplayName("Numbers, with four logs,")
@SpringBootTest(
        classes = TestStore.class,
        properties = {"lottery.logs=4", "lottery.data=${lottery.servers:target/servers}-of-logs"})
@Import(SeveralLogsTest.Sharded.class)
class NumbersInLogsTest {

    private final EventStore events;
    private final NamedNumberSeries numbers;
    private final Logs logs;
    private final String series = "numbers " + UUID.randomUUID();

    @Autowired
    NumbersInLogsTest(EventStore events, NamedNumberSeries numbers, Logs logs) {
        this.events = events;
        this.numbers = numbers;
        this.logs = logs;
    }

    /** Takes a number with an event in a log, and returns its holder. */
    private String take(int log) {
        String parcel = String.format(Locale.ROOT, "parcel:%02d:%s", log, UUID.randomUUID());
        inUnit(() -> {
            numbers.take(series, parcel);
            events.publish(new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelSent(parcel, "Riga")));
        });
        return parcel;
    }

    private static void inUnit(Runnable work) {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            unit.rollback(e);
            throw e;
        }
        unit.commit();
    }

    private void closeAtHome() {
        String parcel = "parcel:00:" + UUID.randomUUID();
        inUnit(() -> {
            numbers.close(series);
            events.publish(new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelSent(parcel, "Riga")));
        });
    }

    @Test
    @DisplayName("are gathered at home without gaps, in the order of the logs, however often")
    void gathered() {
        List<String> holders = new ArrayList<>(List.of(take(3), take(0), take(1), take(1), take(0), take(3)));
        assertThat(numbers.newest(series)).isEqualTo(2);
        assertThat(numbers.numberOf(series, holders.getFirst())).isEmpty();
        closeAtHome();

        numbers.gather(series);
        numbers.gather(series);

        List<AssignedNumber> found = numbers.above(series, 0, 10);
        assertThat(found).extracting(AssignedNumber::number).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(found)
                .extracting(AssignedNumber::holder)
                .containsExactly(
                        holders.get(1), holders.get(4), holders.get(2), holders.get(3), holders.get(0), holders.get(5));
        assertThat(found)
                .extracting(number -> LogPosition.of(number.position()).log())
                .containsExactly(0, 0, 1, 1, 3, 3);
        assertThat(numbers.newest(series)).isEqualTo(6);
        assertThat(IntStream.range(0, 4))
                .allSatisfy(log -> assertThatThrownBy(() -> take(log)).isInstanceOf(NumberSeriesClosedException.class));
    }

    @Test
    @DisplayName("of a series with a limit are given once each, and once for each holder, to callers in all logs")
    void limited() throws Exception {
        numbers.raise(series, 20);
        List<Future<Boolean>> takers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int taker = 0; taker < 60; taker++) {
                String holder = "holder " + taker / 2;
                int log = 1 + taker / 2 % 3;
                takers.add(threads.submit(() -> logs.all().get(log).call(() -> numbers.takeIfLeft(series, holder))));
            }
            int given = 0;
            for (Future<Boolean> taker : takers) {
                given += taker.get(1, TimeUnit.MINUTES) ? 1 : 0;
            }
            assertThat(given).as("two callers for each of the holders").isEqualTo(40);
        }
        List<AssignedNumber> found = numbers.above(series, 0, 100);
        assertThat(found)
                .extracting(AssignedNumber::number)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
        assertThat(found).extracting(AssignedNumber::holder).doesNotHaveDuplicates();
        assertThat(numbers.extent(series).orElseThrow().left()).isZero();
    }
}
