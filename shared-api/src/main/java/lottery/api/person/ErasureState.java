package lottery.api.person;

/** How far the erasure of a person is. */
public enum ErasureState {
    /** One person wants it. */
    PROPOSED,
    /** Two persons wanted it, and it is done. */
    ERASED
}
