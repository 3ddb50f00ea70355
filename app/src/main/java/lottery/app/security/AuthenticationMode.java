package lottery.app.security;

/** How callers are known, as {@code LOTTERY_AUTH} says. */
enum AuthenticationMode {
    /** By bearer tokens of an issuer. */
    ISSUER,
    /** Not here: a gateway before the lottery decides about each request. */
    GATEWAY,
    /** By names that are their own passwords, for a lottery with servers inside. */
    DEMO
}
