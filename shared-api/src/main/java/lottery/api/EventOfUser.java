package lottery.api;

/** An event of one user. The events of one user are handled in their order. */
public interface EventOfUser extends Event {

    UserId userId();
}
