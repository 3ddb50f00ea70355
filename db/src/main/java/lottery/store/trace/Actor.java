package lottery.store.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, in one of its roles. A thread that works for a request knows the actor, and commands carry
 * it in their metadata. Each event that follows from a command has the actor's name and role. Work that the application
 * does by itself, such as a step of a saga, has no actor.
 *
 * @param role the role in which the actor acts
 * @param roles all roles that the actor has
 * @param scope the things that the actor may touch in this role
 */
public record Actor(String name, String role, Set<String> roles, AccessScope scope) {

    /** The keys in the metadata of events. */
    public static final String NAME_KEY = "actor";

    public static final String ROLE_KEY = "role";

    /** The key in the metadata of commands, which do not leave their process. */
    private static final String KEY = Actor.class.getName();

    private static final ThreadLocal<@Nullable Actor> CURRENT = new ThreadLocal<>();

    /**
     * The things that an actor may touch.
     *
     * @param ownOnly whether the actor may touch only what belongs to itself
     * @param kinds the kinds of things that the actor may touch; empty: all kinds
     */
    public record AccessScope(boolean ownOnly, Set<String> kinds) {

        public static final AccessScope ALL = new AccessScope(false, Set.of());
        public static final AccessScope OWN = new AccessScope(true, Set.of());

        public AccessScope {
            kinds = Set.copyOf(kinds);
        }
    }

    /** Restores the previous actor of the thread when it is closed. */
    @FunctionalInterface
    public interface ActorBinding extends AutoCloseable {

        @Override
        void close();
    }

    public Actor {
        roles = Set.copyOf(roles);
    }

    /** Returns the actor of the request that this thread works for. */
    public static Optional<Actor> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Returns the actor that a command carries. */
    public static Optional<Actor> in(Message<?> command) {
        return Optional.ofNullable((Actor) command.getMetaData().get(KEY));
    }

    /** Returns the name of the actor of an event; empty: the application itself. */
    public static Optional<String> nameIn(Message<?> event) {
        return Optional.ofNullable((String) event.getMetaData().get(NAME_KEY));
    }

    /** Lets this thread work for that actor until the result is closed. Null stands for no actor. */
    public static ActorBinding open(@Nullable Actor actor) {
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

    /** Returns whether this thread works for an actor that may touch what belongs to this owner. */
    public static boolean mayAccessDataOf(String owner) {
        @Nullable Actor actor = CURRENT.get();
        return actor == null || !actor.scope.ownOnly || actor.name.equals(owner);
    }

    /** Returns whether this thread works for an actor that may touch things of this kind. */
    public static boolean mayAccessKind(String kind) {
        @Nullable Actor actor = CURRENT.get();
        return actor == null || actor.scope.kinds.isEmpty() || actor.scope.kinds.contains(kind);
    }

    /** Returns the same actor in another of its roles, in which it may touch all things. */
    public Optional<Actor> as(String other) {
        return roles.contains(other) ? Optional.of(new Actor(name, other, roles, AccessScope.ALL)) : Optional.empty();
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
