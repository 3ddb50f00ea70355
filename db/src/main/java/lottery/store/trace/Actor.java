package lottery.store.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who asks for something, in a role. A thread that works for a request knows its actor, commands carry it in
 * their metadata, and each event that follows from a command says the actor's name and role. Work that the application
 * does by itself, such as a step of a saga, has no actor.
 *
 * @param role in which it acts
 * @param roles all that it has
 * @param scope what it may touch in this role
 */
public record Actor(String name, String role, Set<String> roles, Scope scope) {

    /** The keys in the metadata of events. */
    public static final String NAME_KEY = "actor";

    public static final String ROLE_KEY = "role";

    /** The key in the metadata of commands, which do not leave their process. */
    private static final String KEY = Actor.class.getName();

    private static final ThreadLocal<@Nullable Actor> CURRENT = new ThreadLocal<>();

    /**
     * The things that an actor may touch.
     *
     * @param ownOnly only what belongs to itself
     * @param kinds only things of these kinds; empty: of all kinds
     */
    public record Scope(boolean ownOnly, Set<String> kinds) {

        public static final Scope ALL = new Scope(false, Set.of());
        public static final Scope OWN = new Scope(true, Set.of());

        public Scope {
            kinds = Set.copyOf(kinds);
        }
    }

    /** Ends with the actor that was known before. */
    @FunctionalInterface
    public interface Opened extends AutoCloseable {

        @Override
        void close();
    }

    public Actor {
        roles = Set.copyOf(roles);
    }

    /** The actor of the request that this thread works for. */
    public static Optional<Actor> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** The actor that a command carries. */
    public static Optional<Actor> in(Message<?> command) {
        return Optional.ofNullable((Actor) command.getMetaData().get(KEY));
    }

    /** The name of the actor of an event; none: the application itself. */
    public static Optional<String> nameIn(Message<?> event) {
        return Optional.ofNullable((String) event.getMetaData().get(NAME_KEY));
    }

    /** Lets this thread work for that actor until the result is closed. Null: for nobody in particular. */
    public static Opened open(@Nullable Actor actor) {
        @Nullable Actor before = CURRENT.get();
        set(actor);
        return () -> set(before);
    }

    private static void set(@Nullable Actor actor) {
        if (actor == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(actor);
        }
    }

    /** Whether this thread works for somebody who may touch what belongs to this owner. */
    public static boolean mayTouchOf(String owner) {
        @Nullable Actor actor = CURRENT.get();
        return actor == null || !actor.scope.ownOnly || actor.name.equals(owner);
    }

    /** Whether this thread works for somebody who may touch things of this kind. */
    public static boolean mayTouchKind(String kind) {
        @Nullable Actor actor = CURRENT.get();
        return actor == null || actor.scope.kinds.isEmpty() || actor.scope.kinds.contains(kind);
    }

    /** Returns the same actor in another of its roles, in which it may touch everything. */
    public Optional<Actor> as(String other) {
        return roles.contains(other) ? Optional.of(new Actor(name, other, roles, Scope.ALL)) : Optional.empty();
    }

    /** Returns the metadata of a command that acts for this actor. */
    public MetaData ofCommand() {
        return MetaData.with(KEY, this);
    }

    /** Returns the metadata of the events of this thread. */
    public static Map<String, String> ofEvents() {
        Map<String, String> said = new HashMap<>();
        current().ifPresent(actor -> {
            said.put(NAME_KEY, actor.name);
            said.put(ROLE_KEY, actor.role);
        });
        return said;
    }
}
