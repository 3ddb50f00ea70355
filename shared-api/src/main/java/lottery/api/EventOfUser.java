package lottery.api;

/** An event of one user. All events of the same user are handled in the sequence of the log. */
public interface EventOfUser extends Event {

    UserId userId();
}
