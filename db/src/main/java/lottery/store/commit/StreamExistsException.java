package lottery.store.commit;

import java.util.Set;

/**
 * A unit tried to begin streams that exist, and had not looked for them before. Nothing of the unit is stored. The same
 * unit would fail again.
 */
public final class StreamExistsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Set<String> ids;

    StreamExistsException(Set<String> ids) {
        super("these streams exist already: " + String.join(", ", ids));
        this.ids = Set.copyOf(ids);
    }

    /** Returns the ids of the new streams that already exist. */
    public Set<String> ids() {
        return ids;
    }
}
