package lottery.payment;

/** Thrown if a message does not come from the provider that it names, or is meant for another shop. */
public class ForgedCallbackException extends RuntimeException {

    public ForgedCallbackException(String why) {
        super(why);
    }
}
