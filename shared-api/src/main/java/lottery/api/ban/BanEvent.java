package lottery.api.ban;

import java.time.Instant;
import java.util.Optional;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.person.PersonalTextOpener;
import org.jspecify.annotations.Nullable;

/** The events of the ban of a user. */
public sealed interface BanEvent extends EventOfUser {

    /**
     * A user was banned, or the ban was changed. Exactly one of the two reasons is set.
     *
     * @param until when the ban ends by itself; null if it lasts until it is lifted
     * @param reason a text for people, in clear, as revision 1 stores it
     * @param sealedReason the reason, sealed for the user and this ban
     */
    @EventName(value = "user.banned", revision = 2)
    record UserBanned(
            UserId userId,
            @Nullable Instant until,
            @Nullable String reason,
            @Nullable String sealedReason) implements BanEvent {

        /** Returns the reason; empty if it was erased. */
        public Optional<String> reasonBy(PersonalTextOpener opener) {
            return sealedReason == null
                    ? Optional.ofNullable(reason)
                    : opener.open(userId.value(), new BanId(userId).text(), sealedReason);
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
