package lottery.api.ban;

import java.time.Instant;
import lottery.api.Command;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The commands to the ban of a user. */
public sealed interface BanCommand extends Command<BanResult> {

    UserId userId();

    @Override
    default BanId target() {
        return new BanId(userId());
    }

    /**
     * Bans a user, or changes the existing ban.
     *
     * @param until when the ban ends by itself; null if it lasts until it is lifted
     * @param reason a text for people
     */
    record BanUser(UserId userId, @Nullable Instant until, String reason) implements BanCommand {}

    /** Ends the ban of a user. */
    record LiftBan(UserId userId) implements BanCommand {}
}
