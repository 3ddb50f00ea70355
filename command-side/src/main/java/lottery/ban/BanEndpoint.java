package lottery.ban;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import lottery.BannedUsers;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.ShortListPage;
import lottery.api.UserId;
import lottery.api.ban.BanCommand.BanUser;
import lottery.api.ban.BanCommand.LiftBan;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanResult;
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
     * Whether a user is banned after the request.
     *
     * @param reason the reason of the ban; left out if the ban has no reason, if the reason was erased with the person,
     *     or if it cannot be read
     */
    record UserBanState(
            UserId userId,
            boolean banned,
            @Nullable Instant until,
            @Nullable String reason) {}

    record BansPage(List<UserBanState> items, @Nullable String next) {}

    private final EndpointCommandSender commands;
    private final BannedUsers bannedUsers;
    private final PersonalTexts texts;

    BanEndpoint(EndpointCommandSender commands, BannedUsers bannedUsers, PersonalTexts texts) {
        this.commands = commands;
        this.bannedUsers = bannedUsers;
        this.texts = texts;
    }

    @Operation(summary = "Ban a user", description = """
                    Bans a user. From now on the user's draws, raffle orders and their draws, entries, recharges, and
                    bookings of negative credits are refused. Each is refused with 403 USER_BANNED, whoever the caller
                    is, on all nodes within five seconds. Awards that were won before can still be claimed. A ban with
                    `until` ends by itself. The same ban again changes nothing; a different end or reason replaces the
                    earlier one.""")
    @IdempotentCreation
    @PostMapping(BAN)
    ResponseEntity<UserBanState> banUser(@PathVariable UserId userId, @Valid @RequestBody BanRequest form) {
        BanResult change =
                commands.send(new BanUser(userId, form.until(), form.reason())).orThrow();
        bannedUsers.forget();
        UserBanState state = new UserBanState(userId, true, form.until(), form.reason());
        return change.isNew() ? IdempotentReplyBuilder.created(state) : IdempotentReplyBuilder.repeated(state);
    }

    @Operation(summary = "List bans", description = """
                    Returns the current bans in the order of the user ids, page by page. Bans of other nodes appear
                    within five seconds. A user who was erased as a person stays banned, without a reason. A reason is
                    also left out if it cannot be read, because a master key is missing or a key is damaged.""")
    @GetMapping(BANS)
    BansPage listBans(
            @RequestParam(required = false) @Nullable @Pattern(regexp = TEXT) @Size(max = 64) String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        ShortListPage<UserBanned> page = ShortListPage.after(
                cursor, limit, bannedUsers::all, ban -> ban.userId().value());
        return new BansPage(page.items().stream().map(this::shown).toList(), page.next());
    }

    /** Returns what is shown of a ban. Its reason is sealed, and is opened only here. */
    private UserBanState shown(UserBanned ban) {
        return new UserBanState(ban.userId(), true, ban.until(), reasonOf(ban));
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
                    Ends a user's ban. All nodes follow within five seconds. A ban that has already ended does not
                    change. For a user who was never banned, the response is 404.""")
    @DeleteMapping(BAN)
    ResponseEntity<UserBanState> liftBan(@PathVariable UserId userId) {
        BanResult change = commands.send(new LiftBan(userId)).orThrow();
        bannedUsers.forget();
        UserBanState state = new UserBanState(userId, false, null, null);
        return change.isNew() ? ResponseEntity.ok(state) : IdempotentReplyBuilder.repeated(state);
    }
}
