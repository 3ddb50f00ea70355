package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import lottery.api.Event;
import lottery.api.EventNames;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.messaging.EncodedMessages;
import org.axonframework.eventhandling.EventHandler;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The translation of events to the feed")
class FeedTranslationTest {

    private static final Path DOCUMENTS = Path.of("src/test/resources/messages");
    private static final boolean APPROVE = Boolean.getBoolean("approve");

    static List<FeedMessage> samples() {
        return FeedSamples.samples();
    }

    static List<Event> events() {
        return StoredEvents.all();
    }

    @Test
    @DisplayName("Exactly the events that were decided to be internal give no message.")
    void untold() {
        assertThat(StoredEvents.all().stream()
                        .filter(event -> FeedSamples.of(event).isEmpty())
                        .map(event -> EventNames.nameOf(event.getClass())))
                .containsExactly(
                        "account.limited-award-won",
                        "account.limited-sku-taken",
                        "account.order-used",
                        "activity.award-held",
                        "activity.created",
                        "activity.edited",
                        "activity.held-award-released",
                        "activity.opened",
                        "activity.passed",
                        "activity.paused",
                        "activity.refused",
                        "activity.resumed",
                        "activity.revoked",
                        "activity.submitted",
                        "award.address-erased",
                        "award.claimed",
                        "award.dispatch-failed",
                        "award.released",
                        "behaviour.rebate-dropped",
                        "behaviour.rebate-given",
                        "behaviour.rebate-refused",
                        "behaviour.reported",
                        "calendar.signed-in",
                        "payment.closed",
                        "payment.delivered",
                        "payment.left-to-desk",
                        "payment.money-taken",
                        "payment.ordered",
                        "payment.provider-added",
                        "payment.refund-ordered",
                        "payment.refunded",
                        "person.erased",
                        "pool.entries-closed",
                        "pool.entries-returned",
                        "pool.ordered",
                        "pool.page-drawn",
                        "pool.reserves-used-up",
                        "proposal.agreed",
                        "proposal.declined",
                        "proposal.made",
                        "raffle.request-answered",
                        "rebate.counted",
                        "recharge.closed",
                        "recharge.completed",
                        "recharge.ordered",
                        "rule.defined",
                        "strategy.defined",
                        "strategy.revised",
                        "tree.defined",
                        "user.ban-lifted",
                        "user.banned");
    }

    @Test
    @DisplayName("Each kind of message has one type, with a name and a version.")
    void types() {
        assertThat(samples().stream().<Class<?>>map(FeedMessage::getClass))
                .containsExactlyInAnyOrderElementsOf(FeedSamples.types().toList());
        assertThat(samples())
                .extracting(FeedSamples::typeOf)
                .doesNotHaveDuplicates()
                .allMatch(type -> type.matches("lottery\\.[a-z]+\\.[a-z]+(-[a-z]+)*\\.v[1-9]"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    @DisplayName("A message is written exactly as approved.")
    void writtenAsApproved(FeedMessage news) throws IOException {
        Path document = DOCUMENTS.resolve(FeedSamples.typeOf(news) + ".json");
        String written = EncodedMessages.jsonOf(news) + "\n";
        if (APPROVE) {
            Files.writeString(document, written);
        }
        assertThat(written).isEqualTo(Files.readString(document));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    @DisplayName("A message has no address, no secret, and no text of an operator or of fulfilment.")
    void nothingPrivate(FeedMessage news) {
        assertThat(EncodedMessages.jsonOf(news))
                .doesNotContainIgnoringCase("ticket", "sealed", "config", "address", "unit\"", "cost")
                .doesNotContainIgnoringCase("reason", "reference", "receipt", "Show this", "High Street", "k1:");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("events")
    @DisplayName("The feed handles each event that can be in the store.")
    void heard(Event event) {
        assertThat(Arrays.stream(EventFeedPublisher.class.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(EventHandler.class))
                        .map(method -> method.getParameterTypes()[0]))
                .as("families that the feed hears of")
                .anyMatch(family -> family.isInstance(event));
    }

    @Test
    @DisplayName("An award that is granted with its win gives a win and a grant.")
    void grantedWithTheWin() {
        AwardWon won = StoredEvents.one(AwardWon.class);
        AwardWon granted = new AwardWon(
                won.awardRecordId(),
                won.activityId(),
                won.userId(),
                won.award(),
                won.unitTaken(),
                null,
                won.config(),
                won.grant(),
                won.onFailure(),
                won.insteadOf(),
                won.wonAt(),
                "text:1");

        assertThat(FeedTranslation.of(granted))
                .containsExactly(
                        FeedTranslation.of(won).getFirst(),
                        new AwardRecordFeedMessage.Granted(won.awardRecordId(), won.userId()));
    }

    @Nested
    @DisplayName("Messages about an activity")
    class OfActivity {

        private static final ActivityId ID = new ActivityId(100);

        private final ActivityDefinition drafted =
                StoredEvents.one(ActivityCreated.class).definition();
        private final ActivityDefinition edited =
                StoredEvents.one(ActivityEdited.class).definition();
        private final List<ActivityEvent> past = new ArrayList<>(List.of(new ActivityCreated(ID, drafted)));

        private Optional<ActivityFeedMessage> next(ActivityEvent event) {
            Optional<ActivityFeedMessage> news = FeedTranslation.of(event, past);
            past.add(event);
            return news;
        }

        @Test
        @DisplayName("The message has the definition at the start.")
        void asEdited() {
            next(new ActivityEdited(ID, edited));
            next(new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(next(new ActivityStarted(ID, 1, "first", "sealed", "bound to 1")))
                    .contains(new ActivityFeedMessage.Started(
                            ID,
                            "Summer",
                            edited.beginsAt(),
                            edited.endsAt(),
                            edited.zone(),
                            1,
                            "first",
                            1,
                            "hash of 1",
                            "bound to 1"));
        }

        @Test
        @DisplayName("The messages about a start and an adoption have all that their commitment is made of.")
        void committed() {
            next(new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(next(new ActivityStarted(ID, 1, "first", "sealed", "bound to 1")))
                    .contains(new ActivityFeedMessage.Started(
                            ID,
                            "Spring",
                            drafted.beginsAt(),
                            drafted.endsAt(),
                            drafted.zone(),
                            1,
                            "first",
                            1,
                            "hash of 1",
                            "bound to 1"));
            assertThat(next(new StrategyAdopted(ID, 2, "hash of 2", "bound to 2")))
                    .contains(new ActivityFeedMessage.StrategyAdopted(ID, 1, "first", 2, "hash of 2", "bound to 2"));
        }

        @Test
        @DisplayName("An adoption while no round runs gives no message: the next start names the version.")
        void adoptedBetweenRounds() {
            next(new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(next(new StrategyAdopted(ID, 2, "hash of 2", null))).isEmpty();
            assertThat(next(new ActivityStarted(ID, 1, "first", "sealed", "bound to 2")))
                    .hasValueSatisfying(news -> assertThat(((ActivityFeedMessage.Started) news).strategyVersion())
                            .isEqualTo(2));
        }

        @Test
        @DisplayName("The message about a close names the round.")
        void secondRound() {
            next(new ActivityPassed(ID, 1, "hash of 1"));
            next(new ActivityStarted(ID, 1, "first", "sealed", "bound to 1"));
            next(new ActivityClosed(ID));
            next(new ActivityOpened(ID));
            next(new ActivityStarted(ID, 2, "second", "sealed", "bound to 1"));
            assertThat(next(new ActivityClosed(ID)))
                    .contains(new ActivityFeedMessage.Closed(
                            ID, "Spring", drafted.beginsAt(), drafted.endsAt(), drafted.zone(), 2, "second"));
        }

        @Test
        @DisplayName("The close of an activity that never started, or a second close, gives no message.")
        void neverStarted() {
            next(new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(next(new ActivityClosed(ID))).isEmpty();
            next(new ActivityOpened(ID));
            next(new ActivityStarted(ID, 1, "first", "sealed", "bound to 1"));
            assertThat(next(new ActivityClosed(ID))).isPresent();
            next(new ActivityOpened(ID));
            assertThat(next(new ActivityClosed(ID))).isEmpty();
        }
    }
}
