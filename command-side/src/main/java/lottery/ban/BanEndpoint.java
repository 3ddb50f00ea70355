package lottery.ban;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.BannedUsers;
import lottery.EndpointCommandSender;
import lottery.IdempotentReplyBuilder;
import lottery.ShortListPage;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.ban.BanCommand.BanUser;
import lottery.api.ban.BanCommand.LiftBan;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanResult;
import lottery.store.pace.CallerBlocklist;
import lottery.store.trace.Actor;
import lottery.store.vault.PersonalTexts;
import lottery.store.vault.SecretUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lets the desk ban users and lift bans over REST. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Ban", description = "Bans: banned users cannot spend anything.")
class BanEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(BanEndpoint.class);

    private static final String BANS = "/api/v1/bans";
    private static final String BAN = "/api/v1/users/{userId}/ban";

    /** The pattern of a text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /**
     * @param until when the ban ends by itself; without this time, the ban lasts until somebody lifts it
     * @param reason a text for people
     */
    record BanRequest(
            @Nullable Instant until,

            @NotBlank @Pattern(regexp = TEXT) @Size(max = 500)
            String reason) {}

    /**
     * The origin of a ban: the desk, or the limiter of requests. A ban by the desk only stops the user's spending. The
     * limiter blocks all requests of the user for some minutes.
     */
    enum BannedBy {
        DESK,
        LIMITER
    }

    /**
     * Whether a user is banned after the request, and whether by the desk or by the limiter.
     *
     * @param reason the reason of a ban by the desk; left out if the ban has no reason, if the reason was erased with
     *     the person, or if it cannot be read
     * @param by the origin of the ban; left out if the user is not banned
     */
    record UserBanState(
            UserId userId,
            boolean banned,
            @Nullable Instant until,
            @Nullable String reason,
            @Nullable BannedBy by) {

        private static UserBanState byDesk(UserId user, @Nullable Instant until, @Nullable String reason) {
            return new UserBanState(user, true, until, reason, BannedBy.DESK);
        }

        private static UserBanState none(UserId user) {
            return new UserBanState(user, false, null, null, null);
        }
    }

    record BansPage(List<UserBanState> items, @Nullable String next) {}

    private final EndpointCommandSender commands;
    private final BannedUsers bannedUsers;
    private final CallerBlocklist blocked;
    private final PersonalTexts texts;

    BanEndpoint(EndpointCommandSender commands, BannedUsers bannedUsers, CallerBlocklist blocked, PersonalTexts texts) {
        this.commands = commands;
        this.bannedUsers = bannedUsers;
        this.blocked = blocked;
        this.texts = texts;
    }

    @Operation(summary = "Ban a user", description = """
                    Bans a user. From now on the user's draws, raffle orders and their draws, entries, recharges, and
                    bookings of negative credits are refused. Each is refused with 403 USER_BANNED, whoever the caller
                    is, on all nodes within five seconds. Awards that were won before can still be claimed. A ban with
                    `until` ends by itself. The same ban again changes nothing; a different end or reason replaces the
                    earlier one.""")
    @PostMapping(BAN)
    ResponseEntity<UserBanState> banUser(@PathVariable UserId userId, @Valid @RequestBody BanRequest form) {
        BanUser command = new BanUser(userId, form.until(), form.reason());
        Answer<BanResult> answer = commands.send(command);
        // Two nodes may have created the same ban at the same time. A second attempt finds it.
        boolean isRaced =
                answer instanceof Answer.No<BanResult>(Refused refused) && refused.why() == Refusal.KEY_REUSED;
        BanResult change = (isRaced ? commands.send(command) : answer).orThrow();
        bannedUsers.forget();
        UserBanState state = UserBanState.byDesk(userId, form.until(), form.reason());
        return change.isNew() ? IdempotentReplyBuilder.created(state) : IdempotentReplyBuilder.repeated(state);
    }

    @Operation(summary = "List bans", description = """
                    Returns the current bans in the order of the user ids, page by page. Bans of other nodes appear
                    within five seconds. The rate limiter bans players who continue after many refusals. Such a ban has
                    an end, and its `by` is `LIMITER`. Until it ends, each request of the player is refused with 429
                    PLAYER_BLOCKED. If the desk has banned the same user, only the ban of the desk is listed. A user who
                    was erased as a person stays banned, without a reason. A reason is also left out if it cannot be
                    read, because a master key is missing or a key is damaged.""")
    @GetMapping(BANS)
    BansPage listBans(
            @RequestParam(required = false) @Nullable @Pattern(regexp = TEXT) @Size(max = 64) String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        ShortListPage<Ban> page = ShortListPage.after(
                cursor, limit, this::all, ban -> ban.userId().value());
        return new BansPage(page.items().stream().map(this::shown).toList(), page.next());
    }

    /** A ban. Its reason is sealed, and is opened only if the ban is shown. */
    private record Ban(
            UserId userId,
            @Nullable UserBanned byDesk,
            @Nullable Instant byLimiter) {}

    private Stream<Ban> all() {
        Map<UserId, Ban> bans = new HashMap<>();
        blocked.all()
                .forEach((caller, until) ->
                        userOf(caller).ifPresent(user -> bans.put(user, new Ban(user, null, until))));
        bannedUsers.all().forEach(ban -> bans.put(ban.userId(), new Ban(ban.userId(), ban, null)));
        return bans.values().stream();
    }

    /**
     * Returns the user with a caller's name; empty if no user can have this name. Not every subject of a token is a
     * possible name of a user.
     */
    private static Optional<UserId> userOf(String caller) {
        try {
            return Optional.of(new UserId(caller));
        } catch (IllegalArgumentException noUser) {
            return Optional.empty();
        }
    }

    private UserBanState shown(Ban ban) {
        UserBanned byDesk = ban.byDesk();
        return byDesk == null
                ? new UserBanState(ban.userId(), true, ban.byLimiter(), null, BannedBy.LIMITER)
                : UserBanState.byDesk(ban.userId(), byDesk.until(), reasonOf(byDesk));
    }

    /**
     * Returns the reason of a ban; null if it cannot be read. The ban itself is still shown, and so are the other bans.
     */
    private @Nullable String reasonOf(UserBanned banned) {
        try {
            return banned.reasonBy(texts::open).orElse(null);
        } catch (SecretUnavailableException lost) {
            LOG.warn(
                    "The reason of a ban cannot be opened: {}. The answer leaves it out. Check LOTTERY_PERSONS_KEYS.",
                    lost.getMessage());
            return null;
        }
    }

    @Operation(summary = "Lift a ban", description = """
                    Ends a user's ban, whether the desk or the rate limiter has made it. All nodes follow within five
                    seconds. A ban that has already ended does not change. For a user who was never banned, the response
                    is 404.""")
    @DeleteMapping(BAN)
    ResponseEntity<UserBanState> liftBan(@PathVariable UserId userId) {
        Answer<BanResult> answer = commands.send(new LiftBan(userId));
        boolean isUnknown =
                answer instanceof Answer.No<BanResult>(Refused refused) && refused.why() == Refusal.NOT_FOUND;
        if (!isUnknown) {
            // If the ban cannot be lifted now, the request ends here, and the block by the limiter stays, too. So a
            // second attempt still finds both.
            var _ = answer.orThrow();
            bannedUsers.forget();
        }
        UserBanState state = UserBanState.none(userId);
        if (blocked.unblock(userId.value())) {
            LOG.info(
                    "{} has lifted the block of {} by the limiter.",
                    Actor.current().map(Actor::name).orElse("somebody"),
                    userId);
            return ResponseEntity.ok(state);
        }
        return answer.orThrow().isNew() ? ResponseEntity.ok(state) : IdempotentReplyBuilder.repeated(state);
    }
}
