package lottery.api.person;

/** How far the erasure of a person is. */
public enum ErasureState {
    /** One person wants the erasure. */
    PROPOSED,
    /** Two persons wanted the erasure, and it is done. */
    ERASED
}
