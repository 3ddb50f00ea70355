package lottery.view.person;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.store.log.HomeLog;
import lottery.store.vault.PersonalTexts;
import lottery.store.vault.SecretUnavailableException;
import lottery.view.AnswersFromReadModels;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows over REST what is stored about one person. Addresses and the reasons of bans are stored only in the log, and
 * are sealed there. They are opened for each answer.
 */
@RestController
@Tag(name = "Person", description = "The personal data of a user, and its erasure.")
@AnswersFromReadModels({"activities", "accounts", "wins"})
class PersonalDataEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(PersonalDataEndpoint.class);

    /** The most activities, and the most bans, in one answer. A user has an account in some dozen activities. */
    private static final int EACH_MAX = 1_000;

    /** The most PHYSICAL awards in one answer. The limit is needed because the events of each award are read. */
    private static final int PARCELS_MAX = 200;

    /** Finds all activities, which are in the home log. */
    private static final String ACTIVITIES = "SELECT activity_id FROM view_activity";

    /**
     * Finds the activities in which the user has an account. Like the next statement, it gets all activities, because
     * the indexes of accounts and wins begin with the activity.
     */
    private static final String OF_USER = """
            SELECT account.activity_id FROM unnest(:activities) AS activity (activity_id)
            JOIN view_account account ON account.activity_id = activity.activity_id AND account.user_id = :user
            ORDER BY account.activity_id DESC LIMIT :max""";

    private static final String PARCELS = """
            SELECT win.award_record_id, win.activity_id, win.title, win.state
            FROM unnest(:activities) AS activity (activity_id)
            JOIN view_win win ON win.activity_id = activity.activity_id AND win.user_id = :user
            WHERE win.type = 'PHYSICAL'
            ORDER BY win.won_at DESC, win.award_record_id LIMIT :max""";

    /**
     * A claim of an award.
     *
     * @param address where the award is sent to; null if the address was erased, or cannot be read
     * @param erased whether the address was erased
     */
    record KeptClaim(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            String title,
            AwardState state,
            Instant claimedAt,
            @Nullable Address address,
            boolean erased) {}

    /**
     * A ban as it was imposed.
     *
     * @param reason a text for people; null if the reason was erased, or cannot be read
     * @param erased whether the reason was erased
     */
    record KeptBan(
            Instant bannedAt,
            @Nullable Instant until,
            @Nullable String reason,
            boolean erased) {}

    /**
     * The personal data that is kept of a user.
     *
     * @param phone the phone with which the user logs in; null if there is none
     * @param activities the activities in which the user has an account
     */
    record PersonDetails(
            UserId userId,
            @Nullable String phone,
            List<KeptClaim> claims,
            List<KeptBan> bans,
            List<ActivityId> activities) {}

    private record SaidBan(Instant at, UserBanned banned) {}

    /**
     * A sealed text after the attempt to open it. If it cannot be read, it is null, and the other texts are still
     * shown.
     */
    private record KeptText<T>(@Nullable T text, boolean isErased) {

        static <T> KeptText<T> of(Supplier<Optional<T>> opened) {
            try {
                return opened.get()
                        .map(text -> new KeptText<T>(text, false))
                        .orElseGet(() -> new KeptText<>(null, true));
            } catch (SecretUnavailableException lost) {
                LOG.warn(
                        "A text about a person cannot be opened: {}. The answer leaves it out. Check LOTTERY_PERSONS_KEYS.",
                        lost.getMessage());
                return new KeptText<>(null, false);
            }
        }
    }

    private record PhysicalWin(AwardRecordId awardRecordId, ActivityId activityId, String title, AwardState state) {}

    private final JdbcClient database;
    private final JdbcClient home;
    private final EventStore events;
    private final PersonalTexts texts;

    PersonalDataEndpoint(JdbcClient database, @HomeLog JdbcOperations home, EventStore events, PersonalTexts texts) {
        this.database = database;
        this.home = JdbcClient.create(home);
        this.events = events;
        this.texts = texts;
    }

    @Operation(summary = "Show what is kept about a person", description = """
                    Returns the personal data of a user: the phone of the login, claims with their addresses, bans with their reasons, and the
                    activities in which the user has an account. It covers the claims of the newest 200 parcels, and at
                    most the newest 1,000 bans and activities. After an erasure, addresses and reasons are left out, and
                    `erased` is true. If a master key is missing or a key is damaged, what cannot be read is left out,
                    too, but `erased` is false.""")
    @GetMapping(path = "/api/v1/users/{userId}/person", produces = MediaType.APPLICATION_JSON_VALUE)
    PersonDetails getPerson(@PathVariable UserId userId) {
        Long[] all = home.sql(ACTIVITIES).query(Long.class).list().toArray(Long[]::new);
        List<ActivityId> activities = database.sql(OF_USER)
                .param("activities", all)
                .param("user", userId.value())
                .param("max", EACH_MAX)
                .query((row, _) -> new ActivityId(row.getLong(1)))
                .list();
        return new PersonDetails(
                userId, texts.phoneOf(userId.value()).orElse(null), claims(userId, all), bans(userId), activities);
    }

    private List<KeptClaim> claims(UserId userId, Long[] activities) {
        List<PhysicalWin> parcels = database.sql(PARCELS)
                .param("activities", activities)
                .param("user", userId.value())
                .param("max", PARCELS_MAX)
                .query((row, _) -> new PhysicalWin(
                        AwardRecordId.of(row.getString("award_record_id")),
                        new ActivityId(row.getLong("activity_id")),
                        row.getString("title"),
                        AwardState.valueOf(row.getString("state"))))
                .list();
        return parcels.stream().flatMap(parcel -> claim(parcel).stream()).toList();
    }

    /**
     * Returns the last claim of an award. There may be several, because an award whose address was erased can be
     * claimed again.
     */
    private Optional<KeptClaim> claim(PhysicalWin parcel) {
        return events.readEvents(parcel.awardRecordId().text())
                .asStream()
                .<KeptClaim>mapMulti((message, found) -> {
                    if (message.getPayload() instanceof AwardClaimed claimed) {
                        found.accept(claim(parcel, claimed, message));
                    }
                })
                .reduce((_, later) -> later);
    }

    private KeptClaim claim(PhysicalWin parcel, AwardClaimed claimed, DomainEventMessage<?> message) {
        KeptText<Address> address = KeptText.of(() -> claimed.addressBy(texts::open));
        return new KeptClaim(
                parcel.awardRecordId(),
                parcel.activityId(),
                parcel.title(),
                parcel.state(),
                message.getTimestamp(),
                address.text(),
                address.isErased());
    }

    private List<KeptBan> bans(UserId userId) {
        Deque<SaidBan> newest = new ArrayDeque<>();
        events.readEvents(new BanId(userId).text()).asStream().forEach(message -> {
            if (message.getPayload() instanceof UserBanned banned) {
                newest.addFirst(new SaidBan(message.getTimestamp(), banned));
                if (newest.size() > EACH_MAX) {
                    newest.removeLast();
                }
            }
        });
        return newest.stream().map(this::ban).toList();
    }

    private KeptBan ban(SaidBan said) {
        KeptText<String> reason = KeptText.of(() -> said.banned().reasonBy(texts::open));
        return new KeptBan(said.at(), said.banned().until(), reason.text(), reason.isErased());
    }
}
