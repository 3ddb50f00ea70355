package lottery.security;

/** How callers are authenticated, set by {@code LOTTERY_AUTH}. */
enum AuthenticationMode {
    /** By bearer tokens of an issuer. */
    ISSUER,
    /** Not by the lottery: a gateway in front of it decides about each request. */
    GATEWAY,
    /** By demo names whose password is the name, for a lottery with embedded servers. */
    DEMO
}
