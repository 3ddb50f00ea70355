package lottery.ban;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import lottery.AdmittedCommandSender;
import lottery.BannedUsers;
import lottery.RepeatableReply;
import lottery.ShortList;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.ban.BanChange;
import lottery.api.ban.BanCommand.BanUser;
import lottery.api.ban.BanCommand.LiftBan;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.store.vault.PersonalTexts;
import org.jspecify.annotations.Nullable;
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
@Tag(name = "Ban", description = "Users who may spend nothing for a while, or until the desk says otherwise.")
class BanEndpoint {

    private static final String BANS = "/api/v1/bans";
    private static final String BAN = "/api/v1/users/{userId}/ban";

    /** Text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /**
     * @param until when the ban ends by itself; left out: when it is lifted
     * @param reason for people
     */
    record BanRequest(
            @Nullable Instant until,

            @NotBlank @Pattern(regexp = TEXT) @Size(max = 500)
            String reason) {}

    /**
     * Whether a user is banned after the request, and by what.
     *
     * @param reason none: the user is not banned, or was erased as a person
     */
    record UserBanState(
            UserId userId,
            boolean banned,
            @Nullable Instant until,
            @Nullable String reason) {}

    record BansPage(List<UserBanState> items, @Nullable String next) {}

    private final AdmittedCommandSender commands;
    private final BannedUsers bannedUsers;
    private final PersonalTexts texts;

    BanEndpoint(AdmittedCommandSender commands, BannedUsers bannedUsers, PersonalTexts texts) {
        this.commands = commands;
        this.bannedUsers = bannedUsers;
        this.texts = texts;
    }

    @Operation(summary = "Ban a user", description = """
                    Refuses from now on what spends something of the user: draws, raffle orders and their draws,
                    recharges, and bookings of negative credits. Each is answered 403 USER_BANNED, whoever asks, and on
                    all nodes within five seconds. What was won before can still be claimed. A ban with `until` ends by
                    itself. The same ban again changes nothing; another end or reason replaces what was said before.""")
    @PostMapping(BAN)
    ResponseEntity<UserBanState> banUser(@PathVariable UserId userId, @Valid @RequestBody BanRequest form) {
        BanUser command = new BanUser(userId, form.until(), form.reason());
        Answer<BanChange> answer = commands.send(command);
        // Two nodes may have created the same ban at once. A second attempt finds it.
        boolean isRaced =
                answer instanceof Answer.No<BanChange>(Refused refused) && refused.why() == Refusal.KEY_REUSED;
        BanChange change = (isRaced ? commands.send(command) : answer).orRefuse();
        bannedUsers.forget();
        UserBanState state = new UserBanState(userId, true, form.until(), form.reason());
        return change.isNew() ? RepeatableReply.created(state) : RepeatableReply.repeated(state);
    }

    @Operation(summary = "List bans", description = """
                    Answers the bans that hold now by the id of their user, a page at a time. A ban of another node is
                    here within five seconds. A user who was erased as a person stays banned, without a reason.""")
    @GetMapping(BANS)
    BansPage listBans(
            @RequestParam(required = false) @Nullable @Pattern(regexp = TEXT) @Size(max = 64) String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        ShortList<UserBanned> page = ShortList.after(
                cursor, limit, bannedUsers::all, ban -> ban.userId().value());
        return new BansPage(
                page.items().stream()
                        .map(ban -> new UserBanState(
                                ban.userId(),
                                true,
                                ban.until(),
                                ban.reasonBy(texts::open).orElse(null)))
                        .toList(),
                page.next());
    }

    @Operation(summary = "Lift a ban", description = """
                    Ends the ban of a user, on all nodes within five seconds. A ban that was lifted before, or has ended
                    by itself, stays as it is. A user who was never banned is answered 404.""")
    @DeleteMapping(BAN)
    ResponseEntity<UserBanState> liftBan(@PathVariable UserId userId) {
        BanChange change = commands.send(new LiftBan(userId)).orRefuse();
        bannedUsers.forget();
        UserBanState state = new UserBanState(userId, false, null, null);
        return change.isNew() ? ResponseEntity.ok(state) : RepeatableReply.repeated(state);
    }
}
