package lottery.api;

/** Something that happened to a user. What happens to one user is handled in its order. */
public interface OfUser extends Event {

    UserId userId();
}
