package lottery.api.person;

/** How far the erasure of a person is. */
public enum ErasureState {
    /** One person has proposed the erasure. */
    PROPOSED,
    /** Another person has agreed to the proposal, and the person is erased. */
    ERASED
}
