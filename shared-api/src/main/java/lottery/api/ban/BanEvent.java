package lottery.api.ban;

import java.time.Instant;
import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of the ban of a user. */
public sealed interface BanEvent extends OfUser {

    /**
     * A user was banned, or the ban was changed.
     *
     * @param until when the ban ends by itself; null: when it is lifted
     * @param reason for people
     */
    @EventName("user.banned")
    record UserBanned(UserId userId, @Nullable Instant until, String reason) implements BanEvent {

        /** Returns whether the ban still holds at a time, unless it was lifted. */
        public boolean holdsAt(Instant time) {
            return until == null || time.isBefore(until);
        }
    }

    /** A ban was ended by a person. */
    @EventName("user.ban-lifted")
    record UserBanLifted(UserId userId) implements BanEvent {}
}
