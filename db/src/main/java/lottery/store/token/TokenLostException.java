package lottery.store.token;

/** This process does not own a token, or it would handle other events than the token stands for. */
public final class TokenLostException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TokenLostException(String why) {
        super(why);
    }
}
