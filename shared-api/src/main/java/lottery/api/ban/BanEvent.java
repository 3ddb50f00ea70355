package lottery.api.ban;

import java.time.Instant;
import java.util.Optional;
import lottery.api.EventName;
import lottery.api.EventOfDecision;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.person.PersonalTextOpener;
import org.jspecify.annotations.Nullable;

/** The events of the ban of a user. */
public sealed interface BanEvent extends EventOfUser, EventOfDecision {

    /**
     * A user was banned, or the ban was changed.
     *
     * @param until when the ban ends by itself; null if it lasts until it is lifted
     * @param sealedReason the reason, a text for people, sealed for the user and this ban
     */
    @EventName("user.banned")
    record UserBanned(UserId userId, @Nullable Instant until, String sealedReason) implements BanEvent {

        /** Returns the reason; empty if it was erased. */
        public Optional<String> reasonBy(PersonalTextOpener opener) {
            return opener.open(userId.value(), new BanId(userId).text(), sealedReason);
        }

        /** Returns whether the ban is still in force at a time, if it was not lifted. */
        public boolean holdsAt(Instant time) {
            return until == null || time.isBefore(until);
        }
    }

    /** A ban was ended by a person. */
    @EventName("user.ban-lifted")
    record UserBanLifted(UserId userId) implements BanEvent {}
}
