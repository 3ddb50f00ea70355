package lottery.api.tree;

import com.fasterxml.jackson.annotation.JsonValue;

/** A comparison of the value of a matter with the values of a line. */
public enum Comparison {
    EQUAL("="),
    GREATER(">"),
    LESS("<"),
    AT_LEAST(">="),
    AT_MOST("<="),
    ONE_OF("one of");

    private final String sign;

    Comparison(String sign) {
        this.sign = sign;
    }

    /** Returns the sign as it is written in JSON. */
    @JsonValue
    public String sign() {
        return sign;
    }
}
